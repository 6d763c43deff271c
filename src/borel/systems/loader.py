"""Loading systems: files that include one another, replace or drop single rules, and switch conventions."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files as resource_files
from pathlib import Path

from borel.systems.errors import Place, SystemFileError, suggestion
from borel.systems.ordering import is_public, public_first
from borel.systems.parser import SystemFile, parse_system
from borel.systems.syntax import Definition, Rule
from borel.systems.system import System
from borel.systems.validate import speaks_of_registry, validate

__all__ = ["load_system", "read_system", "system_names"]

MAX_DEPTH = 20


def data_folder() -> Path:
    """Where the systems that come with Borel live."""
    return Path(str(resource_files("borel.systems").joinpath("data")))


def system_names() -> list[str]:
    """The systems that come with Borel."""
    return sorted(path.stem for path in data_folder().glob("*.bid"))


def load_system(name: str) -> System:
    """A system by name (``sayc``) or by file (``my.bid``); the same file, unchanged, is read once."""
    path = _find(name, None, None)
    return _load(str(path), _stamp(path))


def _stamp(path: Path) -> tuple[float, ...]:
    """When the file, its neighbours and our own data last changed, so that an edited system is read again."""
    near = {path, *path.parent.glob("*.bid"), *data_folder().rglob("*.bid")}
    return tuple(sorted(file.stat().st_mtime for file in near))


@cache
def _load(path: str, _: tuple[float, ...]) -> System:
    return _assemble(_collect(Path(path), 0, None))


def read_system(text: str, name: str = "text") -> System:
    """A system from text, as if from a file beside Borel's own systems.

    >>> read_system("open\\n  1NT  15-17 hcp, balanced").rules[0].name
    'open / 1NT'
    """
    parsed = parse_system(text, name)
    return _assemble([*_included(parsed, None, 1), parsed])


def _find(name: str, place: Place | None, beside: Path | None) -> Path:
    wanted = name if name.endswith(".bid") else f"{name}.bid"
    for folder in ([beside] if beside else [Path()]) + [data_folder()]:
        if (folder / wanted).is_file():
            return folder / wanted
    known = (
        system_names() if place is None else [str(p.relative_to(data_folder())) for p in data_folder().rglob("*.bid")]
    )
    hint = suggestion(wanted, known) or suggestion(name, known)
    raise SystemFileError(f"no system file {name!r}", place, hint=hint)


def _collect(path: Path, depth: int, place: Place | None) -> list[SystemFile]:
    """A file after everything it includes, so that later parts may change earlier ones."""
    if depth > MAX_DEPTH:
        raise SystemFileError(f"{path.name} includes itself", place)
    try:
        parsed = parse_system(path.read_text(encoding="utf-8"), _short(path))
    except UnicodeDecodeError:
        raise SystemFileError(f"{path.name} is not text in UTF-8", place) from None
    return [*_included(parsed, path.parent, depth + 1), parsed]


def _included(parsed: SystemFile, beside: Path | None, depth: int) -> list[SystemFile]:
    parts: list[SystemFile] = []
    for target, place in parsed.includes:
        found = _collect(_find(target, place, beside), depth, place)
        parsed.included.append(found[-1].name)
        parts += found
    return parts


def _short(path: Path) -> str:
    """A file's name in messages: as seen from Borel's own data, or as given."""
    try:
        return path.resolve().relative_to(data_folder().resolve()).as_posix()
    except ValueError:
        return path.as_posix()


def _assemble(parts: list[SystemFile]) -> System:
    """Rules of an including file come before those of the files it includes, and may replace or drop them."""
    rules: list[Rule] = []
    definitions: dict[str, Definition] = {}
    switches: dict[str, tuple[bool, str]] = {}
    seen: set[str] = set()
    for part in parts:
        if part.name in seen:
            continue
        seen.add(part.name)
        definitions |= part.definitions
        for name, (on, text) in part.switches.items():
            switches[name] = (on, text or switches.get(name, (True, ""))[1])
        for name, place in part.dropped:
            rules = _drop_named(rules, name, place)
        own = [rule for rule in part.rules if rule.prefix != "drop"]
        for rule in part.rules:
            if rule.prefix in ("drop", "replace"):
                rules = _drop_same(rules, rule)
            elif "named" in rule.clauses:
                rules = [old for old in rules if old.clauses.get("named") != rule.clauses["named"]]
        rules = own + rules
    last = parts[-1]
    ranks = _reading_order(parts)
    rules.sort(key=lambda rule: ranks[rule.place.file])
    for order, rule in enumerate(rules):
        rule.order = order
    validate(rules, definitions)
    _reorder(rules, definitions)
    name, files = last.system or Path(last.name).stem, tuple(part.name for part in parts)
    wide = speaks_of_registry(rules, definitions)
    return System(name, last.title, rules, definitions, switches, files, wide, _fingerprint(parts))


def _fingerprint(parts: list[SystemFile]) -> str:
    digest = sha256()
    for part in parts:
        digest.update(f"{len(part.text)} {part.text}".encode())
    return digest.hexdigest()[:12]


def _reorder(rules: list[Rule], definitions: dict[str, Definition]) -> None:
    """Conditions on the auction before conditions on the hand, in every rule and block."""
    for rule in rules:
        for owner in (rule, rule.block):
            ordered = [public_first(condition, definitions) for condition in owner.conditions]
            owner.conditions[:] = sorted(ordered, key=lambda condition: not is_public(condition, definitions))


def _reading_order(parts: list[SystemFile]) -> dict[str, int]:
    """The rank of each file: a file before those it includes, these in the order in which it names them."""
    by_name = {part.name: part for part in parts}
    ranks: dict[str, int] = {}

    def visit(part: SystemFile) -> None:
        if part.name not in ranks:
            ranks[part.name] = len(ranks)
            for name in part.included:
                visit(by_name[name])

    visit(parts[-1])
    return ranks


def _drop_named(rules: list[Rule], name: str, place: Place) -> list[Rule]:
    kept = [rule for rule in rules if rule.clauses.get("named") != name and rule.clauses.get("convention") != name]
    if len(kept) == len(rules):
        names = {str(rule.clauses[key]) for rule in rules for key in ("named", "convention") if key in rule.clauses}
        raise SystemFileError(f"no included rule or convention is named {name!r}", place, hint=suggestion(name, names))
    return kept


def _drop_same(rules: list[Rule], rule: Rule) -> list[Rule]:
    kept = [old for old in rules if not (old.block.text == rule.block.text and old.text == rule.text)]
    if len(kept) == len(rules):
        headers = {old.block.text for old in rules}
        known = rule.block.text in headers
        calls = ", ".join(old.text for old in rules if old.block.text == rule.block.text)
        what = f"nothing to {rule.prefix}: {rule.block.text!r} has " + (
            f"only {calls}" if known else "no included rules"
        )
        raise SystemFileError(what, rule.place, hint="" if known else suggestion(rule.block.text, headers))
    return kept
