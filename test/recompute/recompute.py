#!/usr/bin/env python3
"""Recomputes every figure, status and score of deals and reports from them and /api/meta alone, and compares.

    python3 recompute.py <file with the JSON of {"meta": ..., "deals": [...], "reports": [...]}>

Each difference is a line: record id, field, ours, theirs; the last line counts. Exits with 1 on a difference. The
standard library alone, and nothing of the service: an independent reading of docs/underwriting.md and the contract.
"""

import json
import re
import sys

from figures import Decimal, Differences
from reports import hold_report
from scoring import Scored, hold_creative, hold_rental, hold_scores, hold_wholesale
from underwriting import Deal, hold_underwriting


def hold_headline(deal, scored, differences):
    """It leads with a doubt, and tells no gap but that of the record."""
    headline = deal.record["why_this_is_interesting"]
    differences.equal("why_this_is_interesting doubts", headline.startswith("Check the listing: "),
                      scored.first_doubt is not None)
    points = re.search(r"(\d+\.\d\d) points", headline)
    if points:
        gap = None if deal.gap is None else abs(deal.gap)
        differences.equal("why_this_is_interesting gap", Decimal(points[1]), gap)


def hold_deal(record, meta, differences):
    """Returns the deal and its scored values, for a report."""
    differences.record = record["id"]
    deal = Deal(record, meta)
    scored = Scored(deal)
    hold_underwriting(deal, differences)
    for hold in (hold_scores, hold_rental, hold_wholesale, hold_creative, hold_headline):
        hold(deal, scored, differences)
    return deal, scored


def main(path):
    with open(path, encoding="utf-8") as file:
        given = json.load(file)
    differences = Differences()
    for record in given["deals"]:
        hold_deal(record, given["meta"], differences)
    for report in given["reports"]:
        hold_report(report, *hold_deal(report["deal"], given["meta"], differences), differences)
    print("\n".join(differences.found + [f"{differences.compared} compared, {len(differences.found)} differences"]))
    return 1 if differences.found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
