"""The text of ``neo4j.conf``, which contains no secrets."""

from __future__ import annotations

from collections.abc import Mapping

from harmgraph.graph.server.memory import MIB, Memory
from harmgraph.graph.server.ports import LOOPBACK
from harmgraph.graph.server.space import CHECKPOINT_FILES, rotation


def server_conf(bolt: int, http: int, size: Memory, more: Mapping[str, str] | None = None) -> str:
    """Settings of a server on these two ports that only this machine can reach; ``more`` adds settings for this start only."""
    log_file = rotation() // MIB
    settings = {
        "server.default_listen_address": LOOPBACK,
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"{LOOPBACK}:{bolt}",
        "server.bolt.advertised_address": f"{LOOPBACK}:{bolt}",
        "server.http.enabled": "true",
        "server.http.listen_address": f"{LOOPBACK}:{http}",
        "server.http.advertised_address": f"{LOOPBACK}:{http}",
        "server.https.enabled": "false",
        "server.memory.pagecache.size": f"{size.page_cache // MIB}m",
        "db.tx_log.rotation.retention_policy": "keep_none",
        # Otherwise an empty store takes 512 MiB of disk space.
        "db.tx_log.preallocate": "false",
        # Otherwise the log grows for 15 minutes before any of it is deleted: gigabytes during a large load.
        "db.checkpoint": "VOLUME",
        "db.checkpoint.interval.volume": f"{CHECKPOINT_FILES * log_file}m",
        "db.tx_log.rotation.size": f"{log_file}m",
        # The stores are closed by then; otherwise a stop would wait 5 s for the idle threads of each of the two connectors.
        "internal.server.bolt.thread_pool_shutdown_wait_time": "500ms",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "dbms.security.auth_enabled": "true",
        # The hosts from which Neo4j Browser may fetch a guide.
        "browser.remote_content_hostname_whitelist": f"localhost,{LOOPBACK}",
        **(more or {}),
    }
    lines = [f"{name}={value}" for name, value in settings.items()]
    return "\n".join(["# harmgraph writes this file at every start: changes here are lost", *lines, ""])
