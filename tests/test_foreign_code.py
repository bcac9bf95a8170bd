"""No file from outside runs code: every call that loads a model says so, and nothing in the product unpickles or evaluates."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.places import ROOT

FOLDERS = ("analytics", "cypher", "docker", "graph", "harmgraph/common", "loader", "models", "tests/benchmarks")
FILES = sorted(
    [*(ROOT / "harmgraph").glob("*.py"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
)

LOADERS = frozenset({"from_pretrained", "from_config", "pipeline", "SentenceTransformer"})
"""Of transformers and the packages around it: what may run the code that lies beside a model."""

WITHOUT_WEIGHTS = ("Tokenizer", "Config", "Processor")

BUILT_IN = frozenset({"eval", "exec", "compile", "__import__"})

RUNS_CODE = frozenset(
    {
        *("torch.load", "hub.load", "jit.load", "export.load", "package.PackageImporter"),
        *("pd.read_pickle", "pandas.read_pickle", "loader.exec_module", "os.system", "os.popen"),
        *("yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load"),
    }
)

MODULES = frozenset({"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "runpy", "code", "imp"})

NAMED_AT_RUN_TIME: Mapping[str, str] = {
    "harmgraph/common/registry.py": "the modules of a package of ours",
    "harmgraph/__init__.py": "_LATER, a table of its own",
    "harmgraph/__main__.py": "COMMANDS, a table of its own",
    "models/extra.py": "the name is written where it is called",
    "tests/benchmarks/__main__.py": "the modules of its own package",
}
"""Files that import a module by a name that is not a literal, and where the name is from."""

OWN_MARSHAL: Mapping[str, str] = {
    "harmgraph/common/spill.py": "nameless temporary files of this process",
    "loader/reading/cores.py": "the pipes of children of ours",
    "loader/reading/process.py": "the pipe of a child of ours",
    "loader/reading/slices.py": "the pipes of children of the same load",
    "loader/reading/spread.py": "rows of the workers of the same load, which run our functions",
    "harmgraph/common/engines/spark/cluster.py": "errors of the same workers",
}
"""Files that read with ``marshal``, which trusts what it reads, and who wrote that."""


def name_of(call: ast.Call) -> str:
    """``load`` of ``load(x)``, ``np.load`` of ``np.load(x)`` and of ``a.np.load(x)``."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute):
        before = function.value
        owner = before.id if isinstance(before, ast.Name) else before.attr if isinstance(before, ast.Attribute) else ""
        return f"{owner}.{function.attr}"
    return ""


def keyword(call: ast.Call, name: str) -> object:
    """The literal that a call gives for a keyword; None where it gives none, or no literal."""
    return next(
        (one.value.value for one in call.keywords if one.arg == name and isinstance(one.value, ast.Constant)), None
    )


def faults(source: str, file: str = "some.py") -> list[str]:
    """What in a file could run the code of a file from outside, as ``line: what``."""
    tree = ast.parse(source)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return [f"{line}: {what}" for node in ast.walk(tree) for line, what in _faults(node, called, file)]


def _faults(node: ast.AST, called: set[int], file: str) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Call):
        name = name_of(node)
        last = name.rpartition(".")[2]
        if last in LOADERS:
            yield from _loading(node, name)
        # An eval without arguments is that of a torch module.
        if name in RUNS_CODE or name.removeprefix("builtins.") in BUILT_IN or (last == "eval" and node.args):
            yield node.lineno, f"{name} may run code"
        if name in ("np.load", "numpy.load") and keyword(node, "allow_pickle") is not False:
            yield node.lineno, f"{name} without allow_pickle=False"
        if name.startswith("marshal.load") and file not in OWN_MARSHAL:
            yield node.lineno, f"{name} trusts what it reads"
        if last == "import_module" and not isinstance(node.args[0], ast.Constant) and file not in NAMED_AT_RUN_TIME:
            yield node.lineno, f"{name} of a name that is not a literal"
        if keyword(node, "shell") is True:
            yield node.lineno, f"{name} by a shell"
    elif isinstance(node, ast.Attribute) and node.attr == "from_pretrained" and id(node) not in called:
        yield node.lineno, "from_pretrained is handed on, where nobody sees how it is called"
    elif isinstance(node, ast.Constant) and node.value in ("from_pretrained", "trust_remote_code"):
        yield node.lineno, f"{node.value!r} as text, where nobody sees how it is called"
    elif isinstance(node, ast.Import):
        yield from ((node.lineno, f"imports {one.name}") for one in node.names if one.name.split(".")[0] in MODULES)
    elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
        yield node.lineno, f"imports {node.module}"


def _loading(call: ast.Call, name: str) -> Iterator[tuple[int, str]]:
    if keyword(call, "trust_remote_code") is not False:
        yield call.lineno, f"{name} without trust_remote_code=False"
    weights = not name.rpartition(".")[0].endswith(WITHOUT_WEIGHTS)
    if name.endswith(".from_pretrained") and weights and keyword(call, "use_safetensors") is not True:
        yield call.lineno, f"{name} without use_safetensors=True"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_of_the_product_runs_code_from_outside(path: Path) -> None:
    assert faults(path.read_text("utf-8"), str(path.relative_to(ROOT))) == []


@pytest.mark.parametrize(
    "source",
    [
        "AutoTokenizer.from_pretrained(place)",
        "AutoTokenizer.from_pretrained(place, trust_remote_code=True)",
        "AutoTokenizer.from_pretrained(place, trust_remote_code=trust)",
        "AutoConfig.from_pretrained(place, **options)",
        "AutoModel.from_pretrained(place, trust_remote_code=False)",
        "AutoModel.from_pretrained(place, trust_remote_code=False, use_safetensors=None)",
        "load = AutoModel.from_pretrained",
        "getattr(AutoModel, 'from_pretrained')(place)",
        "AutoModel.from_pretrained(place, **{'trust_remote_code': True})",
        "pipeline('text-classification', place)",
        "torch.load(path)",
        "torch.load(path, weights_only=True)",
        "torch.hub.load(place, 'model')",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "import pickle",
        "from joblib import load",
        "pd.read_pickle(path)",
        "yaml.load(text)",
        "eval(text)",
        "frame.eval(text)",
        "builtins.exec(text)",
        "marshal.loads(content)",
        "importlib.import_module(name)",
        "subprocess.run(line, shell=True)",
    ],
)
def test_a_fault_is_seen(source: str) -> None:
    assert faults(source)


@pytest.mark.parametrize(
    "source",
    [
        "AutoTokenizer.from_pretrained(place, trust_remote_code=False)",
        "AutoModel.from_pretrained(place, trust_remote_code=False, use_safetensors=True)",
        "np.load(path, allow_pickle=False)",
        "re.compile('a')",
        "model.eval()",
    ],
)
def test_what_is_no_fault(source: str) -> None:
    assert not faults(source)


def test_the_files_are_there_and_so_is_what_is_looked_for() -> None:
    """Else the tests above would see nothing and pass."""
    sources = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in FILES}
    assert len(sources) > 200
    assert sum(source.count(".from_pretrained(") for source in sources.values()) >= 3
    assert [file for file in (*NAMED_AT_RUN_TIME, *OWN_MARSHAL) if file not in sources] == []
    assert [file for file in OWN_MARSHAL if "marshal.load" not in sources[file]] == []
    assert [file for file in NAMED_AT_RUN_TIME if "import_module(" not in sources[file]] == []
