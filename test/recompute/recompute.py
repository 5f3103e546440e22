#!/usr/bin/env python3
"""Recomputes every figure, status and score of deals and reports from what a buyer has, and compares.

    python3 recompute.py <file.json>

The file holds {"meta": GET /api/meta, "deals": [records], "reports": [reports]}. Each difference is a line; the last line
counts figures and differences. Exits with 1 on a difference. The standard library alone, and nothing of the service: an
independent reading of docs/underwriting.md and the contract. Half-up, once for each published figure.
"""

import json
import sys
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal, getcontext

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


def lowest(*figures):
    known = [figure for figure in figures if figure is not None]
    return min(known) if known else None


def constant(rate_pct, years):
    """Annual debt service per dollar: what 1 grows to, over what payments of 1 grow to."""
    rate = Decimal(rate_pct) / 1200
    if rate == 0:
        return Decimal(12) / (years * 12)
    growth = (1 + rate) ** (years * 12)
    return 12 * rate * growth / (growth - 1)


def share_left(rate_pct, years, after):
    """What is owed of 1 after some years, month by month."""
    rate, payment, left = Decimal(rate_pct) / 1200, constant(rate_pct, years) / 12, Decimal(1)
    for _ in range(after * 12):
        left = left + left * rate - payment
    return left


def clamp(value):
    return max(Decimal(0), min(Decimal(1), value))
