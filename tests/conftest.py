"""Real parts for every test: one embedded Neo4j for each process of the run, wiped between tests; the real data where it is."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from harmgraph.common import progress
from harmgraph.demo import own_home
from harmgraph.graph import schema_setup
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server, store
from harmgraph.graph.server.conf import server_conf
from tests.support.chromium import CHROMIUM, FLAGS
from tests.support.places import real_data

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Threads of torch that wait by spinning take the processor from the server beside them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# A server of the tests lives a short time: better half of the work of Java's compilers than twice as quick at the end.
# Its classes are not verified again: the digests of their jars were.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
os.environ.setdefault("JDK_JAVA_OPTIONS", QUICK_JAVA)

# That of a session lives longer. Java's second compiler took 40 % of its time. Now it takes what has run five times as often.
PATIENT_JAVA = (
    "-XX:Tier4InvocationThreshold=25000 -XX:Tier4MinInvocationThreshold=3000 "
    "-XX:Tier4CompileThreshold=75000 -XX:Tier4BackEdgeThreshold=200000"
)

# A shell starts what runs in the background deaf to Ctrl-C, and so would be the commands that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No test asserts a time: a machine that others use too takes longer than Hypothesis allows an example.
settings.register_profile("harmgraph", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("harmgraph")

NEO4J = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts what takes long first, so that of several processes none is left alone with it at the end."""
    items.sort(key=lambda item: not any(item.get_closest_marker(name) for name in ("first", "long")))


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist nobody asks for it
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Divides the tests by module, in the order of their collection; each process has a home and a server of its own."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = (
        False  # it would begin with the modules of many tests, which are not those that take long
    )
    return LoadFileScheduling(config, log)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A real browser, for the tests of pages. If it ends too early, its own words stand in what pytest prints of the test."""
    from playwright.sync_api import sync_playwright

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEBUG", "pw:browser")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
            yield browser
            browser.close()


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of harmgraph's for this run, so that no test touches the user's graph."""
    folder = tmp_path_factory.mktemp("home")
    before = {name: os.environ.pop(name, None) for name in NEO4J}
    before["HARMGRAPH_HOME"] = os.environ.get("HARMGRAPH_HOME")
    os.environ["HARMGRAPH_HOME"] = str(folder)
    yield folder
    server.stop()
    with own_home():  # of a test that ran the demo
        server.stop()
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


@pytest.fixture(scope="session", autouse=True)
def unhurried() -> None:
    """What a command says must not depend on how busy the machine is: no line of progress after half a minute."""
    progress.EVERY_S = 3_600.0


@pytest.fixture(scope="session")
def address(home: Path) -> Address:
    """The embedded server, started once for each process of the run.

    Its graph is wiped before each test. No change of its size makes a plan out of date: planning again takes a fifth of the time.
    """
    with pytest.MonkeyPatch.context() as patch:
        if os.environ["JDK_JAVA_OPTIONS"] == QUICK_JAVA:
            patch.setenv("JDK_JAVA_OPTIONS", PATIENT_JAVA)
        patch.setattr(
            store, "server_conf", partial(server_conf, more={"dbms.cypher.statistics_divergence_threshold": "1.0"})
        )
        return server.start(heap="1g", page_cache="256m")


@pytest.fixture(scope="session")
def connection(address: Address) -> Iterator[Graph]:
    """One connection for the run; use ``graph``, which is empty."""
    with Graph.open(address) as graph:
        schema_setup.apply(graph)
        yield graph


@pytest.fixture
def graph(connection: Graph) -> Graph:
    """An empty graph on a real server, with the schema applied."""
    connection.autocommit("schema/wipe")
    return connection


@pytest.fixture
def fresh_answers(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For whoever asks a server of language models: no answers from before, short pauses, and no key."""
    from harmgraph.common.endpoint import endpoint
    from harmgraph.common.endpoint.answer_cache import FOLDER
    from harmgraph.common.whole_file import delete

    delete(home / FOLDER)
    monkeypatch.setattr(endpoint, "PAUSE_S", 0.001)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    yield
    delete(home / FOLDER)


@pytest.fixture(scope="session")
def data() -> Path:
    """The real data that lies beside the checkout, or where HARMGRAPH_DATA says; skips where it is absent."""
    folder = real_data()
    if folder is None:
        pytest.skip("the real data is not here: put it beside the checkout, or set HARMGRAPH_DATA")
    return folder
