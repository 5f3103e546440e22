"""The HUD underwriting of a deal and its plausibility, from its record and /api/meta."""

import re
from datetime import date

from figures import HUNDRED, ONE, ZERO, Decimal, constant, least, number, positive, rounded, told

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

UNITS_OF_TYPE = {
    "duplex": lambda units: units == 2,
    "triplex": lambda units: units == 3,
    "fourplex": lambda units: units == 4,
    "multifamily_5_plus": lambda units: units >= 5,
    "mixed_use": lambda units: True,
    "portfolio": lambda units: units >= 2,
    None: lambda units: units != 1,
}


class Deal:
    """A record with the figures that follow from it; what is None is absent."""

    def __init__(self, record, meta):
        self.record, self.meta, self.set = record, meta, meta["assumption_set"]
        self.rules = {version.rsplit("-", 1)[0]: rule for version, rule in meta["rules"].items()}
        self.given = record["underwriting_inputs"]
        self.codes = record["data_quality"]
        self.stated_price = number(record["list_price"])
        self.price = positive(self.stated_price)
        self.units = record["units"] or None
        self.cap = number(record["cap_rate"])
        self.rent = positive(number(record["market_rent_2br"]))
        creative = record["rationales"]["creative"]["inputs"]
        self.today = creative["motivation_score"]["as_of"]
        self.is_cash_only = "cash_only_auction" in creative
        rates = meta["underwriting"]["mortgage_rates"]
        self.rate_as_of = self.given["rate_as_of"] if self.given else rates["as_of"]
        self.rate_pct = self.given["rate_pct"] if self.given else self.rate_of_the_day(rates)
        self.is_stated = record["noi_source"] == "stated"
        self.stated_noi = number(record["noi"]) if self.is_stated else None
        self.constant = constant(self.rate_pct, self.set["amortisation_years"])
        self.operate()
        self.borrow()
        self.judge()
        self.value()

    def rate_of_the_day(self, rates):
        small, large = rates["one_to_four_units_pct"], rates["five_plus_units_pct"]
        if self.units is None or self.doubts("units"):
            return max(small, large, key=Decimal)
        return small if self.units <= 4 else large

    def doubts(self, *values):
        return any(value in DOUBTS.get(code, []) for code in self.codes for value in values)

    def operate(self):
        """The steps of the income, as the record states what they stand on."""
        self.mix, self.gpr, self.egi, self.opex, self.noi, self.stable = None, None, None, None, None, None
        if self.rent is None or self.units is None or self.given is None:
            return
        self.mix = self.given["unit_mix"]
        self.owner_pays = all(Decimal(kind["utility_allowance"]) == 0 for kind in self.mix)
        self.vacancy = Decimal(self.given["vacancy_pct"])
        self.declared_vacancy = max(Decimal(self.set["vacancy_pct"]), Decimal(self.set["vacancy_min_pct"]))
        stated = number(self.given["operating_expenses"])
        lines = sum(number(self.given["expenses"][line]) for line in LINES)
        # A total above the lines is the stated one; a lower one counts nowhere.
        self.stated_total = stated if stated > lines else ZERO
        self.gpr, self.egi, self.lines, self.opex, self.noi = self.income(self.mix, self.vacancy)
        self.stable = self.income(self.mix, self.declared_vacancy)[-1]

    def income(self, kinds, vacancy, rent_factor=ONE):
        """Potential and effective rent, the lines, expenses and NOI, each as published."""
        net = lambda kind: Decimal(kind["gross_rent"]) * rent_factor - self.allowance(kind["bedrooms"])
        gpr = rounded(sum(12 * kind["units"] * max(ZERO, net(kind)) for kind in kinds))
        other = Decimal(self.set["other_income_per_unit"]) * self.units
        egi = rounded(gpr * (100 - min(HUNDRED, vacancy)) / 100 + other)
        declared = self.declared_lines(kinds, egi)
        stated = {line["line"]: Decimal(line["amount"]) for line in self.given["stated_lines"]}
        lines = {line: max(declared[line], stated.get(line, ZERO)) for line in LINES}
        opex = max(sum(lines.values()), self.stated_total)
        return gpr, egi, lines, opex, egi - opex

    def allowance(self, bedrooms):
        return ZERO if self.owner_pays else Decimal(self.set["utility_allowances"][bedrooms])

    def declared_lines(self, kinds, egi):
        state, year = self.record["state"], self.record["year_built"]
        by_state = lambda table: Decimal(table["by_state"].get(state, table["elsewhere"]))
        share = lambda percent: rounded(egi * percent / 100)
        each = lambda amount: rounded(Decimal(amount) * self.units)
        repairs = self.set["repairs_per_unit"]
        built = [int(first) for first in repairs if first.isdigit() and year is not None and int(first) <= year]
        tenants = sum(12 * kind["units"] * Decimal(self.set["utility_allowances"][kind["bedrooms"]]) for kind in kinds)
        return {
            "taxes": share(by_state(self.set["taxes_pct"])),
            "insurance": each(by_state(self.set["insurance_per_unit"])),
            "management": share(Decimal(self.set["management_pct"])),
            "repairs": each(repairs[str(max(built))] if built else repairs["earlier_or_unknown"]),
            "utilities": each(self.set["utilities_per_unit"]) + (tenants if self.owner_pays else ZERO),
            "other": each(self.set["other_per_unit"]),
            "reserves": each(self.set["reserves_per_unit"]),
        }

    def borrow(self):
        """The loan and its service, exact; why there is none, where there is none."""
        self.loan = self.price * Decimal(self.set["ltv_pct"]) / 100 if self.price else None
        self.no_loan = "insufficient_data" if self.price is None else None
        if self.loan is not None and (self.is_cash_only or self.loan < Decimal(self.set["min_loan"])):
            self.loan, self.no_loan = None, "not_applicable"
        self.service = self.loan * self.constant if self.loan is not None else None
        self.hud_cap = rounded(self.noi / self.price * 100) if self.noi is not None and self.price else None
        self.hud_dscr = rounded(self.noi / self.service) if self.noi is not None and self.service else None
        self.cap_noi = rounded(self.price * self.cap / 100) if self.price and positive(self.cap) else None
        if self.is_stated:
            self.own_noi, self.source = self.stated_noi, "stated"
        elif self.cap_noi is not None:
            self.own_noi, self.source = self.cap_noi, "derived_from_advertised_cap"
        else:
            self.own_noi, self.source = self.noi, None if self.noi is None else "underwritten"
        self.own_dscr, self.dscr_status = None, self.no_loan or "computed"
        if self.price is None or not positive(self.own_noi):
            self.dscr_status = "insufficient_data"
        elif self.service:
            self.own_dscr = rounded(self.own_noi / self.service)

    def judge(self):
        """Reliability, the gap and the codes that a record can tell."""
        known = self.price and self.units and self.rent
        self.multiple = self.price / (12 * self.rent * self.units) if known else None
        limit = Decimal(self.set["max_rent_multiple"])
        self.reliability = "unknown" if not known else "proxy_out_of_range" if self.multiple > limit else "ok"
        self.hud_doubted = self.doubts("list_price", "units", "rent")
        self.checked = self.reliability == "ok" and not self.hud_doubted
        limits, self.told_codes = self.rules["plausibility"], {}
        gap = self.cap - self.hud_cap if self.cap is not None and self.hud_cap is not None else None
        self.gap = None if gap is None or abs(gap) > Decimal(limits["gap_pct_max"]) else gap
        tell = self.told_codes
        if self.stated_price is not None:
            price, whole = self.stated_price, format(self.stated_price // 1, "f")
            tell["price_placeholder"] = (price < Decimal(limits["price_min"]) or price >= Decimal(limits["price_below"])
                                         or re.search(limits["price_filler"], whole) is not None)
        if self.record["units"] is not None:
            tell["units_type_disagree"] = not UNITS_OF_TYPE[self.record["property_type"]](self.record["units"])
        tell["units_suspect"] = self.multiple is not None and self.multiple < Decimal(limits["rent_multiple_min"])
        cap = self.cap if self.cap is not None else ZERO
        far = self.checked and self.hud_cap is not None and (
            self.hud_cap <= 0 or cap > self.hud_cap * Decimal(limits["cap_ratio_max"]))
        tell["cap_implausible"] = self.cap is not None and (cap > Decimal(limits["cap_rate_max"]) or far)
        if self.is_stated and self.price and cap > 0:
            claimed = self.price * cap / 100
            off = abs(claimed - self.stated_noi)
            tell["cap_noi_disagree"] = off > claimed * Decimal(limits["cap_noi_tolerance_pct"]) / 100
        if self.given is not None:
            day = date.fromisoformat(self.today)
            tell["hud_rent_stale"] = self.given["hud_fiscal_year"] < day.year + (1 if day.month >= 10 else 0)
            lines = {line["line"] for line in self.given["stated_lines"]}
            if lines - {"taxes"}:  # Taxes alone may be the source's column of taxes.
                tell["expenses_incomplete"] = not {"taxes", "insurance", "repairs", "management"} <= lines

    def value(self):
        """What value, offers and the value after repairs stand on."""
        price_doubted = self.doubts("list_price")
        claim = least(self.stated_noi, None if price_doubted or self.doubts("cap_rate") else self.cap_noi)
        # A doubted cap claims nothing, but stays a ceiling.
        self.ceiling = least(claim, None if price_doubted else self.cap_noi)
        self.for_value, self.for_arv, self.value_basis = None, None, None
        if self.checked and self.noi is not None:
            self.for_value = least(self.ceiling, self.noi)
            is_claimed = claim is not None or (self.ceiling is not None and self.ceiling < self.noi)
            self.value_basis = "lesser_of_claimed_and_hud" if is_claimed else "hud"
            self.for_arv = least(positive(self.ceiling), self.stable)
        elif claim is not None:
            self.for_value = min(claim, rounded(claim * Decimal(self.set["unchecked_noi_share_pct"]) / 100))
            self.value_basis = "claim_discounted"

    def min_dscr(self):
        nonmetropolitan = self.record["score_inputs"]["nonmetropolitan"]
        return self.set["min_dscr_nonmetropolitan" if nonmetropolitan else "min_dscr"]


def hold_underwriting(deal, differences):
    """The record's underwriting is what its inputs give."""
    record, given, equal = deal.record, deal.given, differences.equal
    equal("underwriting_inputs is there", given is not None, deal.rent is not None and deal.units is not None)
    if given is not None and deal.noi is not None:
        hold_steps(deal, differences)
    for field, ours in {
        "noi": told(deal.own_noi), "noi_source": deal.source, "noi_underwritten": told(deal.noi),
        "cap_rate_underwritten": told(deal.hud_cap), "cap_gap_pct": told(deal.gap), "dscr": told(deal.own_dscr),
        "dscr_status": deal.dscr_status, "underwrite_reliability": deal.reliability,
    }.items():
        equal(field, record[field], ours)
    for code, fires in deal.told_codes.items():
        equal(f"data_quality {code}", code in deal.codes, fires)
    rates = deal.meta["underwriting"]["mortgage_rates"]
    if rates["as_of"] == deal.rate_as_of:
        equal("rate_pct", deal.rate_pct, deal.rate_of_the_day(rates))


def hold_steps(deal, differences):
    given, equal = deal.given, differences.equal
    mix = given["unit_mix"]
    equal("assumption_set", given["assumption_set"], deal.set["version"])
    equal("rate_pct", given["rate_pct"], deal.rate_pct)
    equal("rate_as_of", given["rate_as_of"], deal.rate_as_of)
    equal("unit_mix units", sum(kind["units"] for kind in mix), deal.units)
    for kind in mix:
        equal("unit_mix utility_allowance", Decimal(kind["utility_allowance"]), deal.allowance(kind["bedrooms"]))
        if kind["bedrooms"] == 2:
            equal("unit_mix gross_rent", Decimal(kind["gross_rent"]), deal.rent)
    if given["unit_mix_basis"] == "assumed_2br":
        equal("unit_mix bedrooms", [kind["bedrooms"] for kind in mix], [2])
    equal("vacancy_pct is at least the declared one", deal.declared_vacancy <= deal.vacancy <= 100, True)
    equal("gross_potential_rent", given["gross_potential_rent"], told(deal.gpr))
    equal("effective_gross_income", given["effective_gross_income"], told(deal.egi))
    for line in LINES:
        equal(f"expenses.{line}", given["expenses"][line], told(deal.lines[line]))
    equal("operating_expenses", given["operating_expenses"], told(deal.opex))
    equal("loan", given["loan"], told(deal.loan))
    equal("annual_debt_service", given["annual_debt_service"], told(deal.service))
    equal("noi_for_value", given["noi_for_value"], told(deal.for_value))
