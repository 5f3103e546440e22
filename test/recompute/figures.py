"""Decimal arithmetic as docs/underwriting.md asks for it: half-up, once for each published figure."""

from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
getcontext().rounding = ROUND_HALF_UP

ZERO, ONE, HUNDRED = Decimal(0), Decimal(1), Decimal(100)


class Differences:
    """Counts what was compared, and keeps what differs, by record and field."""

    def __init__(self):
        self.compared = 0
        self.found = []
        self.record = ""

    def equal(self, field, theirs, ours):
        self.compared += 1
        if theirs != ours:
            self.found.append(f"{self.record} {field}: ours {ours}, theirs {theirs}")


def number(text):
    return None if text is None else Decimal(str(text))


def told(value, digits=2):
    """A figure as it is published: half-up, plain, never -0.00."""
    if value is None:
        return None
    text = format(value.quantize(ONE.scaleb(-digits)), "f")
    return text.lstrip("-") if Decimal(text) == 0 else text


def rounded(value, digits=2):
    return number(told(value, digits))


def positive(value):
    return value if value is not None and value > 0 else None


def quotient(one, other):
    return None if one is None or other is None else one / other


def least(*values):
    known = [value for value in values if value is not None]
    return min(known) if known else None


def clamp(value):
    return max(ZERO, min(ONE, value))


def constant(rate_pct, years):
    """Annual debt service per dollar: what 1 grows to, over what payments of 1 grow to."""
    rate = Decimal(rate_pct) / 1200
    growth = (1 + rate) ** (years * 12)
    return 12 * rate * growth / (growth - 1)


def share_owed(rate_pct, years, after):
    """What is still owed of 1 after some years."""
    rate = Decimal(rate_pct) / 1200
    growth = (1 + rate) ** (after * 12)
    return growth - constant(rate_pct, years) / 12 * (growth - 1) / rate


def compare(actual, op, threshold):
    """The outcome of a check; codes compare as texts."""
    if op == "==":
        return actual == threshold
    one, other = Decimal(actual), Decimal(threshold)
    return {">=": one >= other, "<=": one <= other, "<": one < other, ">": one > other}[op]
