"""What experts lead first: a conditional logit of their opening leads on the boards kept for fitting.

    python benchmarks/fit_opening_leads.py             # held out: nats a lead and how often the likeliest was led
    python benchmarks/fit_opening_leads.py --write     # src/borel/cardplay/opening_lead_weights.py, from all of them

As `fit_later_leads.py`; what follows from it double dummy is for `opening_bank.py` to say.
"""

from __future__ import annotations

from pathlib import Path

from borel.cardplay import opening_leads
from borel.cardplay.worth import equals_of
from card_play_mistakes import choice_at, fitting_half, records
from fit_later_leads import Found, Leads, leads_of, run

PLACE = Path(opening_leads.__file__).with_name("opening_lead_weights.py")
HEAD = "Weights of the features of an opening lead, against a suit contract and notrump (fit_opening_leads.py)."


def gathered(name: str) -> Leads:
    """The opening leads of a set's boards for fitting."""
    every = records(name)
    found: list[Found] = []
    for number, deal in fitting_half(every):
        record, play = every[number], choice_at(every[number], 0)
        if play is None or record.auction is None:
            continue
        cards = opening_leads.features_of(play.held(play.turn), play.contract, record.auction)
        equal = equals_of(play, record.cards[0])
        made = [bool(equal & card.mask) for card in cards]
        found.append((list(cards.values()), made, play.strain.suit is None, deal))
    return leads_of(found)


if __name__ == "__main__":
    run(__doc__ or "", gathered, PLACE, HEAD)
