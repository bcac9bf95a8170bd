"""What an error of the driver means: one of harmgraph's errors, in one line with what to do."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from harmgraph.common.errors import (
    DatabaseFailed,
    GraphError,
    HarmgraphError,
    NoDatabase,
    NotAllowed,
    Retryable,
    TlsFailed,
    TooOld,
    Unauthorised,
    Unreachable,
)
from harmgraph.graph.address import Address, no_password
from harmgraph.graph.driver import tls

HURT = ("encountered a critical error", "Could not append transaction", "Could not apply the transaction")
EXPIRED, OTHER_NAME, OTHER_ADDRESS, TOO_EARLY = 10, 62, 64, 9  # OpenSSL's codes of what is wrong with a certificate


@dataclass(frozen=True, slots=True)
class _Said:
    """An error of the driver.

    Attributes:
        code: the status code of Neo4j, empty if it did not come from the server.
        message: the server's message, or the driver's.
        everything: the messages of the error and of all its causes.
    """

    error: Exception
    address: Address
    code: str
    message: str
    everything: str

    def means(self, kind: type[GraphError], what: str, remedy: str) -> GraphError:
        """One of harmgraph's errors, about this address and with the server's code."""
        return kind(what, where=self.address.uri, remedy=remedy, code=self.code)


def refusal(error: Exception, address: Address) -> HarmgraphError:
    """The error that tells the user what an error of the driver means."""
    said = _Said(
        error,
        address,
        str(getattr(error, "code", "") or ""),
        _message(error),
        " ".join(map(str, _causes(error))),
    )
    for judge in (_other_home, _identity, _database, _product, _leave, _read_only, _failed, _encryption, _absence):
        meaning = judge(said)
        if meaning:
            return meaning
    from neo4j.exceptions import TransientError

    if isinstance(error, TransientError):
        return Retryable(said.message, where=address.uri, remedy="run the same command again", code=said.code)
    return GraphError(said.message, where=address.uri, code=said.code)


def _message(error: Exception) -> str:
    from neo4j.exceptions import Neo4jError

    # Of its own errors the driver's ``message`` is "Unexpected error has occurred", and ``str()`` says which.
    return str(error.message or error) if isinstance(error, Neo4jError) else str(error)


def read_only(code: str, message: str) -> bool:
    """Whether the server refused a write because its database may only be read."""
    return "ReadOnly" in code and "AccessMode" not in code and "access mode" not in message


def is_gone(error: Exception) -> bool:
    """Whether the connection could not be made, or broke."""
    from neo4j.exceptions import ServiceUnavailable, SessionExpired

    return isinstance(error, ServiceUnavailable | SessionExpired)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all its causes; a routing driver gathers them in groups."""
    waiting = [error]
    seen: set[int] = set()
    while waiting:
        cause = waiting.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            waiting.extend(cause.exceptions)
        if cause.__cause__ is not None:
            waiting.append(cause.__cause__)


def _other_home(said: _Said) -> HarmgraphError | None:
    """The embedded server is gone and that of another home has its port; it was sent a password that is not its own."""
    if not said.address.embedded or ".Security." not in said.code:
        return None
    from harmgraph.graph.server import state

    now = state.read()
    if now is not None and now.bolt == urlsplit(said.address.uri).port:
        return None
    return _gone(said)


def _identity(said: _Said) -> HarmgraphError | None:
    from neo4j.exceptions import AuthError

    address, code = said.address, said.code
    if "CredentialsExpired" in code:
        return said.means(
            Unauthorised,
            f"the password of {address.username!r} is to be changed before it can be used",
            "change it in Neo4j (ALTER CURRENT USER SET PASSWORD FROM … TO …), then set NEO4J_PASSWORD",
        )
    if "AuthenticationRateLimit" in code:
        return said.means(
            Unauthorised,
            f"too many wrong passwords for {address.username!r}: the server takes none for some seconds",
            "check NEO4J_USERNAME and NEO4J_PASSWORD, wait, then run the same command again",
        )
    if not isinstance(said.error, AuthError):
        return None
    if not address.password:
        return no_password(address, code)
    return said.means(
        Unauthorised,
        f"wrong user name or password for {address.username!r}",
        "check NEO4J_USERNAME and NEO4J_PASSWORD",
    )


def _database(said: _Said) -> HarmgraphError | None:
    if "DatabaseNotFound" not in said.code:
        return None
    return said.means(
        NoDatabase,
        f"no database named {said.address.database!r}",
        "set NEO4J_DATABASE to one of the server's databases",
    )


def _product(said: _Said) -> HarmgraphError | None:
    from neo4j.exceptions import UnsupportedServerProduct

    # The driver notices this before the server says its version.
    older = re.search(r"Notification filtering is not supported for the Bolt Protocol ([\d.]+)", said.everything)
    if older:
        return TooOld(
            f"runs a Neo4j older than 5.26: it speaks Bolt {older[1].rstrip('.')}",
            where=said.address.uri,
            remedy="harmgraph needs 5.26 LTS or later: upgrade the server, or unset NEO4J_URI to use the embedded one",
        )
    if not any(isinstance(cause, UnsupportedServerProduct) for cause in _causes(said.error)):
        return None
    return TooOld(
        "the server and harmgraph's driver have no version of Bolt in common",
        where=said.address.uri,
        remedy="harmgraph needs Neo4j 5.26 LTS or later; where the server is newer than harmgraph, install a newer harmgraph",
    )


def _leave(said: _Said) -> HarmgraphError | None:
    if not said.code.endswith("Security.Forbidden"):
        return None
    return said.means(
        NotAllowed,
        f"the user {said.address.username!r} may not do this ({said.message.rstrip('.')})",
        "ask the server's administrator for the right, or set NEO4J_USERNAME to a user who has it (docs/servers.md)",
    )


def _read_only(said: _Said) -> HarmgraphError | None:
    if not read_only(said.code, said.message):
        return None
    return said.means(
        DatabaseFailed,
        f"the database {said.address.database!r} is read-only",
        "let it be written (server.databases.read_only, …default_to_read_only), or choose another with NEO4J_DATABASE",
    )


def _failed(said: _Said) -> HarmgraphError | None:
    """The cause if the server or its database has failed."""
    uri, embedded, code = said.address.uri, said.address.embedded, said.code
    if "OutOfMemory" in code:
        return DatabaseFailed(
            "Neo4j has not enough memory for this",
            where=uri,
            remedy="run 'harmgraph db stop', then 'harmgraph db start --heap 4g' and the same command again"
            if embedded
            else "give the server more (server.memory.heap.max_size, dbms.memory.transaction.total.max)",
            code=code,
        )
    gone = is_gone(said.error)
    hurt = "DatabaseUnavailable" in code or any(words in said.message for words in HURT)
    if embedded and (gone or hurt):
        from harmgraph.graph.server import failures
        from harmgraph.graph.server.folder import last_lines

        known = failures.why("\n".join(last_lines()) if gone else "", hurt=hurt)
        return known or (failures.stopped() if hurt else None)
    if hurt:
        return said.means(
            DatabaseFailed,
            f"the database {said.address.database!r} is not available",
            "SHOW DATABASES and the server's debug.log tell why; then run the same command again",
        )
    return None


def _encryption(said: _Said) -> HarmgraphError | None:
    uri = said.address.uri
    if said.address.embedded or not is_gone(said.error):
        return None
    if not tls.is_secure(uri):
        if tls.handshake_error(uri, checked=False) is not None:
            return None
        return TlsFailed(
            "the server there speaks TLS only",
            where=uri,
            remedy=f"set NEO4J_URI to {tls.with_scheme(uri, '+s')}… (docs/servers.md)",
        )
    broken = next((cause for cause in _causes(said.error) if isinstance(cause, ssl.SSLError)), None)
    if broken is None and "encrypted connection" not in said.everything:
        return None  # it was not the encryption that failed
    if not isinstance(broken, ssl.SSLCertVerificationError) and not urlsplit(uri).scheme.endswith("+ssc"):
        # The driver keeps the error of the first of a host's addresses, which need not be the one that answers.
        again = tls.handshake_error(uri, checked=True)
        broken = again if isinstance(again, ssl.SSLError) else broken
    if isinstance(broken, ssl.SSLCertVerificationError):
        return _certificate(broken, uri)
    if tls.speaks_plain_bolt(uri):
        return TlsFailed(
            "the server there speaks without TLS",
            where=uri,
            remedy=f"turn TLS on at the server (dbms.ssl.policy.bolt), or set NEO4J_URI to {tls.with_scheme(uri, '')}…, "
            "which sends the password and the graph in the clear",
        )
    detail = getattr(broken, "reason", None) or "it ended the handshake"
    return TlsFailed(
        f"no encrypted connection ({detail})",
        where=uri,
        remedy="check the port in NEO4J_URI and the server's TLS (dbms.ssl.policy.bolt)",
    )


def _certificate(broken: ssl.SSLCertVerificationError, uri: str) -> HarmgraphError:
    host, _ = tls.place(uri)
    unchecked = f"{tls.with_scheme(uri, '+ssc')}… takes any certificate"
    if broken.verify_code in (OTHER_NAME, OTHER_ADDRESS):
        what = f"the server's certificate is not for the name {host!r}"
        remedy = f"set NEO4J_URI to a name that stands in it; {unchecked}"
    elif broken.verify_code in (EXPIRED, TOO_EARLY):
        what = f"the server's certificate is not valid now ({broken.verify_message})"
        remedy = f"have the server's certificate renewed, and check the clock here; {unchecked}"
    else:
        what = f"the server's certificate is not trusted here ({broken.verify_message})"
        remedy = f"name the file of its authority in SSL_CERT_FILE (docs/servers.md); {unchecked}"
    return TlsFailed(what, where=uri, remedy=remedy)


def _absence(said: _Said) -> HarmgraphError | None:
    if not is_gone(said.error):
        return None
    address = said.address
    if address.embedded:
        return _gone(said)
    if "Failed to obtain connection towards" in said.everything and _answers(address.uri):
        return _nobody_for_it(said)
    remedy = "check NEO4J_URI and that the server runs, then run the same command again"
    return Unreachable("no Neo4j answers", where=address.uri, remedy=remedy, code=said.code)


def _gone(said: _Said) -> HarmgraphError:
    """The error where the embedded server is gone: why, as far as its folder tells."""
    from harmgraph.graph.server import failures

    what, remedy = failures.absence()
    return said.means(Unreachable, what, remedy)


def _answers(uri: str) -> bool:
    return tls.handshake_error(uri, checked=False) is None if tls.is_secure(uri) else tls.speaks_plain_bolt(uri)


def _nobody_for_it(said: _Said) -> HarmgraphError:
    """The error where the address answers, and none of the servers that it names for the database does."""
    uri = said.address.uri
    if "'WRITE'" in said.everything:
        return DatabaseFailed(
            f"no server takes writes for the database {said.address.database!r}: it is read-only, or they do not answer",
            where=uri,
            remedy="let it be written (server.databases.read_only), or choose another with NEO4J_DATABASE",
        )
    return Unreachable(
        "a server answers there, and those that it names for the database do not",
        where=uri,
        remedy="have it name addresses that are reached from here (server.bolt.advertised_address), or set NEO4J_URI to "
        f"{uri.replace('neo4j', 'bolt', 1)}, which asks for no other",
    )
