"""Terms as written, searched and rewritten: a set of suits, or a question about both hands, is found and filled in."""

from __future__ import annotations

from borel.systems.errors import Place
from borel.systems.syntax import Combine, Function, Quantified, SuitRef, Term, Words

__all__ = ["find_missing", "find_quantifier", "letter", "substitute"]


def letter(suit: int) -> SuitRef:
    """A suit by its letter."""
    return SuitRef("CDHS"[suit], Place("", 0))


def find_missing(term: Term) -> Function | None:
    """``missing.aces`` or ``missing.keycards(F)`` in a sum."""
    if isinstance(term, Combine):
        return find_missing(term.left) or find_missing(term.right)
    return term if isinstance(term, Function) and term.name.startswith("missing.") else None


def find_quantifier(term: Term) -> Quantified | Words | None:
    """``each`` or ``any`` with its suits, where a term has one."""
    if isinstance(term, Quantified | Words):
        return term
    if isinstance(term, Function):
        return next((found for argument in term.arguments if (found := find_quantifier(argument))), None)
    if isinstance(term, Combine):
        return find_quantifier(term.left) or find_quantifier(term.right)
    return None


def substitute(term: Term, old: Term, new: Term) -> Term:
    """The term with one part replaced."""
    if term == old:
        return new
    if isinstance(term, Function):
        return Function(term.name, tuple(substitute(a, old, new) for a in term.arguments), term.place)
    if isinstance(term, Combine):
        return Combine(substitute(term.left, old, new), term.sign, substitute(term.right, old, new))
    return term
