#!/usr/bin/env python3
"""Recomputes the underwriting, scores and limits of deals from their records alone, and compares.

    python3 recompute.py <file with a JSON array of deal records>

Each difference is a line; the last line counts. Exits with 1 on a difference. The standard library alone, and nothing
of the service: an independent reading of docs/underwriting.md and the contract. Half-up, once for each published figure.
"""

import json
import sys
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
getcontext().rounding = ROUND_HALF_UP

LINES = ["taxes", "insurance", "management", "repairs", "utilities", "other", "reserves"]

# The codes that keep a deal from Hot, in the order in which the first is told, and the values that each doubts.
DOUBTS = {
    "cap_implausible": ["cap_rate"],
    "price_placeholder": ["list_price"],
    "units_type_disagree": ["units"],
    "units_suspect": ["units"],
    "zip_state_disagree": ["zip", "rent"],
    "zip_county_disagree": ["zip", "county", "rent"],
    "stated_noi_unreadable": [],
}


class Differences:
    """Counts what was compared, and keeps what differs."""

    def __init__(self):
        self.compared = 0
        self.found = []

    def equal(self, where, told, expected):
        self.compared += 1
        if told != expected:
            self.found.append(f"{where}: told {told}, computed {expected}")


def number(text):
    return None if text is None else Decimal(text)


def told(value, digits=2):
    """A figure as it is published: half-up, plain, never -0.00."""
    if value is None:
        return None
    text = format(value.quantize(Decimal(1).scaleb(-digits)), "f")
    return text.lstrip("-") if Decimal(text) == 0 else text


def rounded(value, digits=2):
    return number(told(value, digits))


def constant(rate_pct, years):
    """Annual debt service per dollar: what 1 grows to, over what payments of 1 grow to."""
    rate = Decimal(rate_pct) / 1200
    if rate == 0:
        return Decimal(12) / (years * 12)
    growth = (1 + rate) ** (years * 12)
    return 12 * rate * growth / (growth - 1)


def clamp(value):
    return max(Decimal(0), min(Decimal(1), value))


def doubted(deal, *values):
    """True when a code of the deal doubts one of these values."""
    return any(value in DOUBTS.get(code, []) for code in deal["data_quality"] for value in values)


def is_rate_stale(deal):
    """True when the interest rate was older than 180 days on the day of scoring; where it is not told, never asked."""
    given = deal["underwriting_inputs"]
    scored = date.fromisoformat(deal["rationales"]["creative"]["inputs"]["motivation_score"]["as_of"])
    return given is not None and (scored - date.fromisoformat(given["rate_as_of"])).days > 180


def rent_chain(differences, deal):
    """HUD rent less vacancy and expenses is the underwritten NOI, and its cap; then the gap and the loan."""
    given, price, where = deal["underwriting_inputs"], number(deal["list_price"]), deal["id"]
    if given is None:
        return
    rents = [12 * each["units"] * max(Decimal(0), number(each["gross_rent"]) - number(each["utility_allowance"]))
             for each in given["unit_mix"]]
    differences.equal(f"{where} gross_potential_rent", given["gross_potential_rent"], told(sum(rents)))
    kept = number(given["gross_potential_rent"]) * (100 - number(given["vacancy_pct"])) / 100
    differences.equal(f"{where} effective_gross_income", given["effective_gross_income"], told(kept))
    spent = sum(number(given["expenses"][line]) for line in LINES)
    differences.equal(f"{where} operating_expenses", number(given["operating_expenses"]) >= spent, True)
    noi = number(given["effective_gross_income"]) - number(given["operating_expenses"])
    differences.equal(f"{where} noi_underwritten", deal["noi_underwritten"], told(noi))
    cap = rounded(noi / price * 100) if price else None
    differences.equal(f"{where} cap_rate_underwritten", deal["cap_rate_underwritten"], told(cap))
    claimed = number(deal["cap_rate"])
    gap = claimed - cap if claimed is not None and cap is not None else None
    differences.equal(f"{where} cap_gap_pct", deal["cap_gap_pct"], None if gap is None or abs(gap) > 100 else told(gap))
    if given["loan"] is not None:
        service = price * 75 / 100 * constant(given["rate_pct"], 30)
        differences.equal(f"{where} loan", given["loan"], told(price * 75 / 100))
        differences.equal(f"{where} annual_debt_service", given["annual_debt_service"], told(service))
        if deal["dscr"] is not None:
            differences.equal(f"{where} dscr", deal["dscr"], told(number(deal["noi"]) / service))


def scores(differences, deal):
    """The deal score and the confidence from what they follow from."""
    given, where = deal["score_inputs"], deal["id"]
    ramp = lambda text, start, span: clamp((number(text) - start) / span) if text is not None else Decimal(0)
    points = {
        "yield": 40 * ramp(given["yield"], 4, 6),
        "dscr": 25 * ramp(given["scored_dscr"], Decimal("0.90"), Decimal("0.60")),
        "motivation": Decimal(min(20, 5 * deal["motivation_score"])),
    }
    matches, price = given["distress_matches"], number(deal["list_price"])
    distress = 12 * number(matches["sale_confidence"] or "0")
    if matches["tax_confidence"] is not None:
        priced = price is not None and price > 0 and not doubted(deal, "list_price")
        large = priced and number(matches["tax_amount"]) * 100 >= price * 2
        distress += (11 if large else 8) * number(matches["tax_confidence"])
    points["distress"] = min(Decimal(15), distress)
    for name, value in points.items():
        differences.equal(f"{where} points.{name}", told(Decimal(str(given["points"][name])), 1), told(value, 1))
    differences.equal(f"{where} deal_score", str(deal["deal_score"]), told(sum(points.values()), 0))
    mean = sum(Decimal(str(each)) for each in given["confidence"]) / 10
    factor = Decimal("0.75") if deal["underwrite_reliability"] == "proxy_out_of_range" else 1
    differences.equal(f"{where} confidence_score", deal["confidence_score"], told(mean * factor))


def rental(differences, deal):
    """The scored yield and debt coverage without what is doubted, and the rental status that they give."""
    rationale, given, price = deal["rationales"]["rental"], deal["underwriting_inputs"], number(deal["list_price"])
    at = {name: Decimal(text) for name, text in rationale["thresholds"].items()}
    hud_doubted = doubted(deal, "list_price", "units", "rent")
    checked = deal["underwrite_reliability"] == "ok" and not hud_doubted
    claimed = None if doubted(deal, "cap_rate") else number(deal["cap_rate"])
    hud = None if hud_doubted else number(deal["cap_rate_underwritten"])
    if claimed is None:
        scored = hud
    elif checked and hud is not None:
        scored = min(claimed, hud + at["claim_allowance_pct"])
    else:
        scored = min(claimed, at["unchecked_cap_limit_pct"]) - at["unchecked_haircut_pct"]
    if scored is not None and deal["noi_source"] == "stated" and price and not doubted(deal, "list_price"):
        scored = min(scored, rounded(number(deal["noi"]) / price * 100))
    differences.equal(f"{deal['id']} yield", deal["score_inputs"]["yield"], told(scored))

    own, hud_dscr = number(deal["dscr"]), None
    if given is not None and given["loan"] is not None and not hud_doubted:
        service = price * 75 / 100 * constant(given["rate_pct"], 30)
        hud_dscr = rounded(number(deal["noi_underwritten"]) / service)
    on_cap = deal["noi_source"] == "derived_from_advertised_cap" and doubted(deal, "cap_rate")
    on_hud = deal["noi_source"] == "underwritten" and doubted(deal, "units", "rent")
    if doubted(deal, "list_price"):
        own = None
    elif on_cap or on_hud:
        own = hud_dscr if checked else None
    dscr = min(own, hud_dscr) if checked and own is not None and hud_dscr is not None else own
    differences.equal(f"{deal['id']} scored_dscr", deal["score_inputs"]["scored_dscr"], told(dscr))

    gap = number(deal["cap_gap_pct"]) if checked and claimed is not None else None
    hot_cap = claimed is not None and claimed >= at["hot_cap_rate_min"]
    wide = gap is not None and gap >= at["hot_cap_gap_below"]
    limited = not checked or any(code in DOUBTS for code in deal["data_quality"])
    limited = limited or is_rate_stale(deal)
    warm = scored is not None and scored >= at["warm_yield_min"] and dscr is not None and dscr >= at["warm_dscr_min"]
    if hot_cap and dscr is not None:
        status = "Warm" if limited or wide or dscr < at["hot_dscr_min"] else "Hot"
    else:
        status = "Warm" if warm else "Pass"
    differences.equal(f"{deal['id']} rental_status", deal["rental_status"], status)


def limits(differences, deal):
    """What is unchecked or doubted is Hot on no path, and every status is its rationale's."""
    doubt = next((code for code in DOUBTS if code in deal["data_quality"]), None)
    checked = deal["underwrite_reliability"] == "ok" and not doubted(deal, "list_price", "units", "rent")
    state = "unchecked" if not checked else "rate_stale" if is_rate_stale(deal) else None
    for path, rationale in deal["rationales"].items():
        where, told_limits = f"{deal['id']} {path}", rationale["inputs"]
        differences.equal(f"{where} status", deal[f"{path}_status"], rationale["status"])
        differences.equal(f"{where} hot_checked", told_limits.get("hot_checked", {}).get("value"), state)
        differences.equal(f"{where} hot_plausible", told_limits.get("hot_plausible", {}).get("value"), doubt)
        if state is not None or doubt is not None:
            differences.equal(f"{where} is Hot", rationale["status"] == "Hot", False)


def main(path):
    with open(path, encoding="utf-8") as file:
        deals = json.load(file)
    differences = Differences()
    for deal in deals:
        for hold in (rent_chain, scores, rental, limits):
            hold(differences, deal)
    print("\n".join(differences.found + [f"{differences.compared} compared, {len(differences.found)} differences"]))
    return 1 if differences.found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
