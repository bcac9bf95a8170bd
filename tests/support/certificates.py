"""A certificate authority and a server's certificate, made by ``openssl`` for one run."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

OPENSSL = shutil.which("openssl")
RSA = ("-newkey", "rsa:2048", "-nodes")


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM.

    Attributes:
        authority: the certificate of the authority, which a client may trust.
        key, certificate: the server's.
    """

    authority: Path
    key: Path
    certificate: Path


def make(folder: Path, *, names: str = "DNS:localhost", days: int = 2) -> Certificates:
    """The certificate of a server.

    Args:
        names: the hosts that it is for, as OpenSSL writes them.
        days: how long it is valid; below zero for one that has expired.
    """
    folder.mkdir(parents=True)
    authority, key = folder / "authority.crt", folder / "private.key"
    certificate, asked, more = folder / "public.crt", folder / "server.csr", folder / "more"
    more.write_text(f"subjectAltName={names}\n", encoding="ascii")
    _openssl("req", "-x509", *RSA, "-keyout", folder / "authority.key", "-out", authority, "-subj", "/CN=an authority")
    _openssl("req", *RSA, "-keyout", key, "-out", asked, "-subj", "/CN=localhost")
    signed = ("-CA", authority, "-CAkey", folder / "authority.key", "-CAcreateserial", "-days", str(days))
    _openssl("x509", "-req", "-in", asked, *signed, "-extfile", more, "-out", certificate)
    return Certificates(authority, key, certificate)


def _openssl(*arguments: str | Path) -> None:
    done = subprocess.run(
        [OPENSSL or "openssl", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
