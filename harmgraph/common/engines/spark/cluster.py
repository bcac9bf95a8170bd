"""The workers of a Spark session."""

from __future__ import annotations

import marshal
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from itertools import chain, islice
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from harmgraph.common.engines.engine import PLACE, Cluster, Item, Keyed, Note, Result
from harmgraph.common.engines.spark.session import failed
from harmgraph.common.errors import HarmgraphError
from harmgraph.common.packed_error import packed, unpacked
from harmgraph.common.progress import progress

if TYPE_CHECKING:
    import pyarrow
    from pyspark import Accumulator
    from pyspark.sql import DataFrame, SparkSession

ROWS = 10_000  # in one Arrow batch
BYTES = 16 << 20  # of the content of one Arrow batch, at most
EACH = 2  # partitions for each worker
TELL_EVERY_S = 1.0
IN, IN_NAMES = "key binary, order long, content binary", ["key", "order", "content"]
OUT, OUT_NAMES = "failed boolean, content binary", ["failed", "content"]


class SparkCluster(Cluster):
    """See ``Cluster``. Rows travel as Arrow batches of a key, an order and a content."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self.workers = spark.sparkContext.defaultParallelism

    def mapped(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """See ``Cluster.mapped``."""
        notes = self._notes()

        def rows(number: int) -> Iterator[Keyed]:
            with _noted(notes, number) as note:
                note(work(items[number]))
            return iter(())

        if items:
            with _translated():
                self._rows(rows, len(items)).write.format("noop").mode("overwrite").save()
        return _complete(notes, len(items))

    def reduced(
        self,
        work: Callable[[Item], Generator[Keyed, None, Note]],
        reduce: Callable[[Iterable[Keyed]], Iterator[bytes]],
        items: Sequence[Item],
        least: int = 1,
    ) -> tuple[list[Note], Iterator[bytes]]:
        """See ``Cluster.reduced``. The notes are an accumulator's, by item: a task that runs twice is counted once."""
        from pyspark.sql import functions

        notes = self._notes()

        def rows(number: int) -> Iterator[Keyed]:
            with _noted(notes, number) as note:
                note((yield from work(items[number])))

        def contents(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
            import pyarrow as pa

            def sent(failed: bool, content: bytes) -> pyarrow.RecordBatch:
                return pa.RecordBatch.from_arrays([pa.array([failed]), pa.array([content], pa.binary())], OUT_NAMES)

            try:
                for content in reduce(_read(batches)):
                    yield sent(False, content)
            except HarmgraphError as error:
                yield sent(True, marshal.dumps(packed(error)))

        parts = max(EACH * self.workers, least)
        with _translated(), _telling(notes, len(items)):
            frame = (
                self._rows(rows, len(items))
                .repartition(parts, functions.substring("key", 1, PLACE))
                .sortWithinPartitions("key", "order")
            )
            reduced = _in_arrow(frame, contents, OUT).toLocalIterator(prefetchPartitions=True)
            first = list(islice(reduced, 1))  # it comes when everything is divided
        return _complete(notes, len(items)), _contents(chain(first, reduced))

    def _rows(self, rows: Callable[[int], Iterator[Keyed]], count: int) -> DataFrame:
        """The rows of each item; a partition, and so a task, for each."""

        def batches(numbers: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
            for batch in numbers:
                for number in batch.column(0).to_pylist():
                    yield from _written(rows(number))

        return _in_arrow(self._spark.range(0, count, 1, max(count, 1)), batches, IN)

    def _notes(self) -> Accumulator[dict[int, Any]]:
        from pyspark.accumulators import AccumulatorParam

        class ByItem(AccumulatorParam[dict[int, Any]]):
            def zero(self, value: dict[int, Any]) -> dict[int, Any]:
                return {}

            def addInPlace(self, value1: dict[int, Any], value2: dict[int, Any]) -> dict[int, Any]:  # noqa: N802
                value1.update(value2)
                return value1

        return self._spark.sparkContext.accumulator({}, ByItem())


def _in_arrow(
    frame: DataFrame, work: Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]], columns: str
) -> DataFrame:
    """``mapInArrow``, which warns of pandas 3 although it hands over no pandas."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return frame.mapInArrow(work, columns)


@contextmanager
def _noted(notes: Accumulator[dict[int, Any]], number: int) -> Iterator[Callable[[Any], None]]:
    """A function that notes the result of an item; what harmgraph raises is noted too, so that it is not tried again."""

    def note(value: Any) -> None:
        notes.add({number: (None, value)})

    try:
        yield note
    except HarmgraphError as error:
        notes.add({number: (packed(error), None)})


def _complete(notes: Accumulator[dict[int, Any]], count: int) -> list[Any]:
    """The notes in the order of the items.

    Raises:
        HarmgraphError: what the first failing item raised.
    """
    noted = notes.value
    for number in range(count):
        if number in noted and noted[number][0]:
            raise unpacked(*noted[number][0])
    missing = [number for number in range(count) if number not in noted]
    if missing:
        raise failed("lost results", RuntimeError(f"of {len(missing)} of {count} tasks nothing is known"))
    return [noted[number][1] for number in range(count)]


def _written(rows: Iterable[Keyed]) -> Iterator[pyarrow.RecordBatch]:
    """Rows as Arrow batches."""
    import pyarrow as pa

    def batch() -> pyarrow.RecordBatch:
        columns = [pa.array(keys, pa.binary()), pa.array(orders, pa.int64()), pa.array(contents, pa.binary())]
        return pa.RecordBatch.from_arrays(columns, IN_NAMES)

    keys: list[bytes] = []
    orders: list[int] = []
    contents: list[bytes] = []
    size = 0
    for key, order, content in rows:
        keys.append(key)
        orders.append(order)
        contents.append(content)
        size += len(content)
        if len(keys) >= ROWS or size >= BYTES:
            yield batch()
            keys, orders, contents, size = [], [], [], 0
    if keys:
        yield batch()


def _read(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[Keyed]:
    """The rows of Arrow batches."""
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _contents(rows: Iterator[Any]) -> Iterator[bytes]:
    with _translated():
        for failure, content in rows:
            if failure:
                raise unpacked(*marshal.loads(content))
            yield bytes(content)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (HarmgraphError, GeneratorExit):
        raise
    except Exception as error:
        raise failed("the job failed", error) from error


@contextmanager
def _telling(notes: Accumulator[dict[int, Any]], total: int) -> Iterator[None]:
    """Tells how many items are done, now and then, until the block ends."""
    over = Event()

    def tell() -> None:
        while not over.wait(TELL_EVERY_S):
            progress("reading on the workers", len(notes.value), total)

    thread = Thread(target=copy_context().run, args=(tell,), name="harmgraph-spark", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
