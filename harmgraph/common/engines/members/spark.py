"""Apache Spark: the workers of a cluster, or of this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from harmgraph.common.engines.engine import Cluster, Engine
from harmgraph.common.options import Option


class Spark(Engine):
    """Spark 4, by the extra ``harmgraph[spark]``; the workers need the same harmgraph, and see the files."""

    name = "spark"
    title = "Apache Spark"
    options = (Option("master", "local[*]", "Spark's master: local[2], spark://HOST:7077, yarn, k8s://https://HOST"),)

    @contextmanager
    def cluster(self, options: Mapping[str, Any]) -> Iterator[Cluster | None]:
        """See ``Engine.cluster``."""
        from harmgraph.common.engines.spark.session import session

        with session(options["master"]) as spark:
            from harmgraph.common.engines.spark.cluster import SparkCluster

            yield SparkCluster(spark)


ENGINE = Spark()
