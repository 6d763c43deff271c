"""Every English sentence of the pages is in texts.js, each is used, and none that is used is missing."""

import re

import pytest

from borel.web.app import PAGES
from borel.web.bots import STRENGTHS
from borel.web.settings import WISHES

TEXTS = (PAGES / "texts.js").read_text(encoding="utf-8")
MODULES = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.js") if path.name != "texts.js"}
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
SENTENCE = re.compile(r"[A-Za-z]{2,}[,.]? [a-z]{2,}")


def keys(depth: int = 1) -> set[str]:
    """The names at a depth of the object in texts.js: a scan that knows strings and brackets."""
    bare = LITERAL.sub('""', TEXTS.partition("export const texts")[2])
    found, level = set(), 0
    for token in re.finditer(r"[{(\[]|[})\]]|\b(\w+):", bare):
        if token[0] in "{([":
            level += 1
        elif token[0] in "})]":
            level -= 1
        elif level == depth:
            found.add(token[1])
    return found


def test_every_text_that_is_used_exists_and_every_one_that_exists_is_used():
    used = {name for text in MODULES.values() for name in re.findall(r"(?<!/)\btexts\.(\w+)", text)}
    assert used - keys() == set()
    assert keys() - used == set()


def without_markup(text: str) -> str:
    """The module without comments, class names, selectors and drawings, whose words nobody reads."""
    text = re.sub(r"(?m)^\s*//.*$|\s// .*$", "", text)
    return re.sub(r'(class|d|autocomplete|closest\?\.|querySelector(All)?)[:(] ?("[^"]*"|`[^`]*`)', "", text)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_no_sentence_hides_in_a_module(name):
    literals = LITERAL.findall(without_markup(MODULES[name]))
    found = [literal for literal in literals if SENTENCE.search(re.sub(r"\$\{[^}]*\}", "", literal))]
    assert found == []


def test_names_that_the_server_gives_have_their_texts():
    assert set(WISHES) | (set(STRENGTHS) - {"test"}) <= keys(2)
