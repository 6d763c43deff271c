"""The layers of the architecture: a module imports only from lines above its own."""

import ast
from pathlib import Path

import pytest

import borel

# One line is one layer; the modules of a line do not import one another unless they stand in this order.
LAYERS = """
errors
_core
clock
compute store
cards deal auction play scoring
view decision
record
formats
features
dealing
dd
systems
sampling
policies
bidding
cardplay
arena
learning
table_manager
web
cli
""".split()

ROOT = Path(borel.__file__).parent


def layer_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def borel_imports(path: Path) -> set[str]:
    """The layers of borel that a file imports, wherever in the file the import stands."""
    used = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "borel":
            names = [node.module] if "." in node.module else [f"borel.{alias.name}" for alias in node.names]
            used |= {layer_of(name) for name in names}
        elif isinstance(node, ast.Import):
            used |= {layer_of(alias.name) for alias in node.names if alias.name.startswith("borel.")}
    return used


def files() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts != ("__init__.py",)]


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path):
    own = path.relative_to(ROOT).parts[0].removesuffix(".py")
    assert own in LAYERS, f"{own} has no line in the map of the code"
    for used in borel_imports(path) - {own}:
        assert used in LAYERS, f"{path.name} imports borel.{used}, which has no line in the map of the code"
        assert LAYERS.index(used) < LAYERS.index(own), f"{own} imports {used}, which stands below it"


@pytest.mark.parametrize("name", ["cards", "deal", "auction", "play", "scoring"])
def test_the_laws_do_no_input_or_output_and_know_no_chance(name):
    nodes = list(ast.walk(ast.parse((ROOT / f"{name}.py").read_text(encoding="utf-8"))))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not imported & {"random", "os", "sys", "pathlib", "numpy"}
    assert not called & {"open", "print", "input", "eval", "exec"}
