"""Reading the text of a condition or of a dealer script into a syntax tree, with errors that name the place.

Comments and the parts of scripts that only print are blanked out first, letter by letter, so every line and column
that an error names is that of the text as it was given.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from borel.dealing.functions import known_functions
from borel.errors import ConditionError

__all__ = ["error_at", "parse_script", "without_remarks"]

MAX_TEXT = 100_000  # characters: far more than any script people write

GRAMMAR = r"""
start: statement*
statement: "condition"i? expr                  -> condition
         | NAME "=" expr                       -> assign
         | "produce"i NUMBER                   -> produce
         | "generate"i NUMBER                  -> generate
         | "seed"i NUMBER                      -> seed
         | "dealer"i word                      -> dealer
         | "vulnerable"i word                  -> vulnerable
         | "title"i STRING                     -> title
         | "pointcount"i NUMBER+               -> pointcount
         | "altcount"i NUMBER NUMBER+          -> altcount
         | "predeal"i predeal_hand+            -> predeal
         | "predeal"i expr ("," expr)*         -> predeal_lengths
predeal_hand: SEAT HOLDING ("," HOLDING)*

?expr: or_expr
     | or_expr "?" expr ":" expr               -> choose
?or_expr: and_expr
     | or_expr ("||" | "or"i) and_expr         -> either
?and_expr: equality
     | and_expr ("&&" | "and"i) equality       -> both
?equality: relation
     | equality EQUALITY relation              -> binary
?relation: sum
     | relation RELATION sum                   -> binary
?sum: product
     | sum (PLUS | MINUS) product              -> binary
?product: unary
     | product PRODUCT unary                   -> binary
?unary: atom
     | ("!" | "not"i) unary                    -> negation
     | MINUS unary                             -> minus
?atom: NUMBER                                  -> number
     | word
     | "(" expr ")"
     | NAME "(" [expr ("," expr)*] ")"         -> call
     | "shape"i "(" word "," shapes ")"        -> shape
     | "hascard"i "(" word "," CARD ")"        -> hascard
word: NAME | SEAT
shapes: pattern ((PLUS | MINUS) pattern)*
pattern: [ANY] SHAPE

ANY: "any"i
SHAPE: /[0-9x]{4}(?![0-9a-z])/i
CARD: /((10|[2-9tjqka])[shdc]|[shdc](10|[2-9tjqka]))(?![0-9a-z])/i
HOLDING: /[shdc][2-9tjqka]+(?![0-9a-z])/i
SEAT.2: /(north|east|south|west)(?![0-9a-z_])/i
NAME: /[a-z_][a-z0-9_]*/i
NUMBER: /[0-9]+(?![0-9a-z_.])/i
STRING: /"[^"\n]*"/
EQUALITY: "==" | "!="
RELATION: "<=" | ">=" | "<" | ">"
PLUS: "+"
MINUS: "-"
PRODUCT: "*" | "/" | "%"
%ignore /[ \t\r\n\f]+/
"""

_REMARK = re.compile(r'"[^"\n]*"|(?P<remark>//[^\n]*|#[^\n]*|/\*.*?\*/)', re.DOTALL)
_KEYWORD = r"\b(?:condition|produce|generate|seed|dealer|vulnerable|title|pointcount|altcount|predeal)\b"
_STATEMENT = _KEYWORD + r"|\b[A-Za-z_]\w*\s*=(?!=)"
_ACTION = re.compile(rf'\baction\b(?:"[^"\n]*"|(?!{_STATEMENT}).)*', re.DOTALL | re.IGNORECASE)
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_BEFORE_PARENTHESIS = {"and", "or", "not", "condition", "predeal"}


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer="contextual")


def error_at(what: str, text: str, line: int, column: int) -> ConditionError:
    """The error of a place: a one-line condition is quoted whole, of a script only the line."""
    lines = text.splitlines() or [""]
    if len(lines) == 1:
        return ConditionError(what, text, column=column)
    return ConditionError(f"line {line}: {what}", lines[min(line, len(lines)) - 1], column=column)


def _place(text: str, position: int) -> tuple[int, int]:
    """Line and column of a position, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - (text.rfind("\n", 0, position) + 1) + 1


def _blank(piece: str) -> str:
    return re.sub(r"[^\n]", " ", piece)


def without_remarks(text: str) -> tuple[str, bool]:
    """The text with comments and actions blanked out, and whether there were actions."""
    bare = _REMARK.sub(lambda m: _blank(m[0]) if m["remark"] else m[0], text)
    acted = _ACTION.sub(lambda m: _blank(m[0]), bare)
    return acted, acted != bare


def parse_script(text: str) -> tuple[Tree[Token], tuple[str, ...]]:
    """The syntax tree of a condition or script, and notes on what was left out of it."""
    if len(text) > MAX_TEXT:
        raise ConditionError(f"{len(text)} characters where at most {MAX_TEXT} are read", text)
    bare, acted = without_remarks(text)
    _check_names(bare, text)
    try:
        tree = _parser().parse(bare)
    except UnexpectedInput as error:
        raise _explain(error, bare, text) from None
    return tree, ("action: left out, for `borel deal` prints boards",) if acted else ()


def _check_names(bare: str, text: str) -> None:
    """Functions that do not exist, found before the grammar stumbles over their arguments."""
    known = known_functions()
    for match in _CALLED.finditer(bare):
        name = match[1].lower()
        if name not in known and name not in _BEFORE_PARENTHESIS:
            close = get_close_matches(name, sorted(known), n=1)
            hint = f'; did you mean "{close[0]}"?' if close else ""
            raise error_at(f"unknown function {match[1]!r}{hint}", text, *_place(bare, match.start(1)))


_EXPECTED = {
    "CARD": "expected a card such as AS",
    "SHAPE": "expected a shape such as 4333 or 5xxx",
    "HOLDING": "expected a suit and its cards such as SAKQ",
    "STRING": "expected a text in quotation marks",
}


def _explain(error: UnexpectedInput, bare: str, text: str) -> ConditionError:
    """Say what was found and, where that is simple, what should have been there."""
    position = error.pos_in_stream
    if (isinstance(error, UnexpectedToken) and error.token.type == "$END") or position is None:
        line, column = _place(text, len(text.rstrip()))
        return error_at("the condition ends too soon", text, line, column)
    line, column = _place(bare, position)
    match = re.compile(r"\d+\.\d+|\w+|[^\w\s]").match(bare, position)
    found = match[0] if match else bare[position : position + 1]
    return error_at(f"unexpected {found[:20]!r}{_hint(error, found)}", text, line, column)


def _hint(error: UnexpectedInput, found: str) -> str:
    if re.fullmatch(r"\d+\.\d+", found):
        return ": whole numbers only (cccc and quality count hundredths: 12.5 is 1250)"
    if found in ("=", "&", "|"):
        return f'; did you mean "{found * 2}"?'
    allowed = error.allowed if isinstance(error, UnexpectedCharacters) else getattr(error, "expected", None)
    wanted = [words for name, words in _EXPECTED.items() if name in (allowed or ())]
    return f": {wanted[0]}" if len(wanted) == 1 and len(allowed or ()) <= 3 else ""
