"""Par against the DDS project's thousand deals: scores from both sides' views, dealer's par, and the contracts."""

import re

from borel import Seat, Side, Strain, Vulnerability
from borel.scoring import Par, par

VULNERABILITIES = [Vulnerability.NONE, Vulnerability.ALL, Vulnerability.NS, Vulnerability.EW]


def contracts_of(text: str) -> set[tuple[int, Strain, Seat]]:
    """Expand ``NS:W 45N,EW 5C`` (the levels 4 and 5 by West, five clubs by East and West)."""
    expanded = set()
    for part in text.partition(":")[2].split(","):
        seats, contract = part.split()
        levels, strain = contract.rstrip("x")[:-1], Strain.parse(contract.rstrip("x")[-1])
        expanded |= {(int(level), strain, Seat.parse(seat)) for level in levels for seat in seats}
    return expanded


def named(result: Par) -> set[tuple[int, Strain, Seat]]:
    return {(r.contract.level, r.contract.strain, r.contract.declarer) for r in result.results}


def test_par_agrees_with_dds_on_a_thousand_deals(data):
    checked = 0
    for block in (data / "double_dummy" / "list1000.txt").read_text().split("PBN ")[1:]:
        dealer, vulnerable = (int(word) for word in block.split()[:2])
        numbers = [int(n) for n in re.search(r"TABLE ([\d ]+)", block)[1].split()]
        spades, hearts, diamonds, clubs, notrump = (numbers[i : i + 4] for i in range(0, 20, 4))
        table = [clubs, diamonds, hearts, spades, notrump]
        ns, ew, ns_contracts, ew_contracts = re.findall(r'"(.*?)"', re.search(r"PAR (.*)", block)[1])
        dealers = re.findall(r'"(.*?)"', re.search(r"PAR2 (.*)", block)[1])[0]
        vulnerability = VULNERABILITIES[vulnerable]
        first = {side: par(table, vulnerability, side) for side in Side}
        assert first[Side.NS].ns_score == int(ns.split()[1])
        assert -first[Side.EW].ns_score == int(ew.split()[1])
        assert named(first[Side.NS]) == contracts_of(ns_contracts)
        assert named(first[Side.EW]) == contracts_of(ew_contracts)
        assert first[Seat(dealer).side].ns_score == int(dealers)
        checked += 1
    assert checked == 1000
