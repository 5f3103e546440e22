"""Scores, statuses and rationales of a deal, from its record and /api/meta."""

from datetime import date, datetime, timedelta

from figures import HUNDRED, ZERO, Decimal, clamp, compare, constant, least, number, positive, rounded, share_owed, told
from underwriting import DOUBTS

# Days after which an interest rate is stale, as /api/meta's contract says.
STALE_DAYS = 180


class Scored:
    """The values that scores count: without those that are doubted."""

    def __init__(self, deal):
        self.deal = deal
        self.reliability = "unknown" if deal.hud_doubted else deal.reliability
        self.first_doubt = next((code for code in DOUBTS if code in deal.codes), None)
        self.price = None if deal.doubts("list_price") else deal.stated_price
        self.units = None if deal.doubts("units") else deal.record["units"]
        self.cap = None if deal.doubts("cap_rate") else deal.cap
        self.hud_cap = None if deal.hud_doubted else deal.hud_cap
        self.hud_dscr = None if deal.hud_doubted else deal.hud_dscr
        self.gap = None if self.cap is None or deal.hud_doubted else deal.gap
        self.stated_yield = None
        if deal.is_stated and positive(self.price):
            self.stated_yield = rounded(deal.stated_noi / self.price * 100)
        on_cap = deal.source == "derived_from_advertised_cap" and deal.doubts("cap_rate", "list_price")
        on_hud = deal.source == "underwritten" and deal.doubts("units", "rent")
        self.noi_doubted = on_cap or on_hud
        self.dscr = deal.own_dscr
        if self.noi_doubted:
            self.dscr = self.hud_dscr if deal.checked else None
        elif deal.doubts("list_price"):
            self.dscr = None
        self.yield_pct = self.scored_yield(deal.rules["rental"])
        self.scored_dscr = least(self.dscr, self.hud_dscr) if self.dscr is not None and deal.checked else self.dscr

    def scored_yield(self, at):
        """The claim, at most an allowance above HUD's cap; unchecked, up to a limit and less a haircut."""
        if self.cap is None:
            supported = self.hud_cap
        elif self.deal.checked and self.hud_cap is not None:
            supported = min(self.cap, self.hud_cap + Decimal(at["claim_allowance_pct"]))
        else:
            supported = min(self.cap, Decimal(at["unchecked_cap_limit_pct"])) - Decimal(at["unchecked_haircut_pct"])
        return None if supported is None else least(supported, self.stated_yield)


def points_of(deal, scored):
    """The four addends of the deal score, exact."""
    rule, matches = deal.rules["deal-score"], deal.record["score_inputs"]["distress_matches"]
    at = lambda name: Decimal(rule[name])
    ramp = lambda value, start, span: ZERO if value is None else clamp((value - start) / span)
    distress = at("sheriff_match_points") * Decimal(matches["sale_confidence"] or "0")
    if matches["tax_confidence"] is not None:
        share = at("tax_amount_pct_of_price_min")
        large = positive(scored.price) and Decimal(matches["tax_amount"]) * 100 >= scored.price * share
        owed = at("tax_match_points") + (at("tax_amount_points") if large else 0)
        distress += owed * Decimal(matches["tax_confidence"])
    count = deal.record["motivation_score"]
    return {
        "yield": at("yield_points") * ramp(scored.yield_pct, at("yield_from_pct"), at("yield_span_pct")),
        "dscr": at("dscr_points") * ramp(scored.scored_dscr, at("dscr_from"), at("dscr_span")),
        "motivation": min(at("motivation_points_max"), at("motivation_points_each") * count),
        "distress": min(at("distress_points_max"), distress),
    }


def hold_scores(deal, scored, differences):
    record, given, equal = deal.record, deal.record["score_inputs"], differences.equal
    equal("yield", given["yield"], told(scored.yield_pct))
    # Absent where the record has no DSCR.
    equal("scored_dscr", given["scored_dscr"], told(scored.scored_dscr if deal.own_dscr is not None else None))
    points = points_of(deal, scored)
    for name, value in points.items():
        equal(f"points.{name}", told(number(given["points"][name]), 1), told(rounded(value), 1))
    equal("deal_score", str(record["deal_score"]), told(sum(points.values()), 0))
    rule = deal.rules["confidence"]
    factor = Decimal(rule["out_of_range_factor"]) if deal.reliability == "proxy_out_of_range" else 1
    mean = sum(number(each) for each in given["confidence"]) / len(given["confidence"])
    equal("confidence_score", record["confidence_score"], told(mean * factor))
    hold_confidence(deal, scored, differences)
    hold_motivation(deal, scored, differences)


def hold_confidence(deal, scored, differences):
    """The inputs of the confidence, as far as a record tells them."""
    record, told_inputs = deal.record, deal.record["score_inputs"]["confidence"]
    half = Decimal("0.5")
    stated = lambda value: ZERO if value is None else half if "sources_disagree" in deal.codes else Decimal(1)
    rent = record["rationales"]["rental"]["inputs"].get("market_rent_2br")
    exact = rent is not None and rent["basis"] == "hud_safmr_zip" and "hud_rent_stale" not in deal.codes
    noi = ZERO if deal.own_noi is None or scored.noi_doubted else Decimal(1) if deal.is_stated else half
    ours = {2: stated(scored.price), 3: stated(scored.units), 4: noi,
            5: ZERO if rent is None else Decimal(1) if exact else half}
    if deal.given is not None and not any(line["line"] == "taxes" for line in deal.given["stated_lines"]):
        ours[6] = ZERO
    if record["zip"] is None or deal.doubts("zip") or "address_not_parsed" in deal.codes:
        ours[0] = ZERO
    # Scored at some time of the day.
    seen = datetime.fromisoformat(record["last_verified"].replace("Z", "+00:00")).replace(tzinfo=None)
    day, most = datetime.fromisoformat(deal.today), timedelta(hours=int(deal.rules["confidence"]["seen_within_hours"]))
    if day + timedelta(days=1) - seen <= most:
        ours[8] = Decimal(1)
    elif day - seen > most:
        ours[8] = ZERO
    for index, value in ours.items():
        differences.equal(f"confidence[{index}]", number(told_inputs[index]), value)


def hold_motivation(deal, scored, differences):
    """The number of signals, and each of those that a record tells."""
    record, at = deal.record, deal.rules["motivation"]
    codes = [signal["code"] for signal in record["motivation_signals"]]
    matches, reduction = record["score_inputs"]["distress_matches"], number(record["price_reduction_pct"])
    differences.equal("motivation_score", record["motivation_score"], len(set(codes)))
    reduced = reduction is not None and reduction >= Decimal(at["price_reduction_pct_min"])
    expected = {
        "price_reduced": reduced and not deal.doubts("list_price"),
        "long_on_feed": record["days_on_feed"] >= int(at["days_on_feed_min"]),
        "tax_delinquent_match": matches["tax_confidence"] is not None,
        "sheriff_sale_match": matches["sale_confidence"] is not None,
    }
    if deal.is_cash_only:
        expected["auction_listing"] = True
    if deal.given is not None:
        # Of one digit, where the stated vacancy has more.
        limit = Decimal(at["vacancy_pct_min"])
        if abs(deal.vacancy - limit) >= Decimal("0.1"):
            expected["high_vacancy"] = deal.vacancy > limit
    for code, fires in expected.items():
        differences.equal(f"motivation_signals {code}", code in codes, fires)


class Path:
    """One rationale, with its thresholds, and what keeps it from Hot."""

    def __init__(self, name, deal, scored, differences):
        self.name, self.scored, self.differences = name, scored, differences
        self.record, self.checks = deal.record["rationales"][name], []
        # A record names those that its status was judged by.
        for threshold, value in self.record["thresholds"].items():
            differences.equal(f"{name}.thresholds.{threshold}", value, deal.rules[name].get(threshold))
        self.at = lambda threshold: Decimal(deal.rules[name][threshold])
        age = (date.fromisoformat(deal.today) - date.fromisoformat(deal.rate_as_of)).days
        self.limits = ["unchecked"] if scored.reliability != "ok" else ["rate_stale"] if age > STALE_DAYS else []
        self.tell("hot_checked", self.limits[0] if self.limits else None)
        self.tell("hot_plausible", scored.first_doubt)
        self.limits += [scored.first_doubt] if scored.first_doubt is not None else []

    def input(self, name):
        entry = self.record["inputs"].get(name)
        return None if entry is None else entry["value"]

    def tell(self, name, ours):
        self.differences.equal(f"{self.name}.inputs.{name}", self.input(name), ours)

    def check(self, code, actual, op, threshold):
        """Whether it passes; a check without one of its sides is not made, and does not."""
        if actual is None or threshold is None:
            return False
        self.checks.append((code, op, Decimal(actual), threshold, compare(actual, op, threshold)))
        return self.checks[-1][-1]

    def end(self, deal, status):
        """The status after the limits, each reason of them, and every check."""
        status = "Warm" if status == "Hot" and self.limits else status
        self.differences.equal(f"{self.name}_status", deal.record[f"{self.name}_status"], status)
        self.differences.equal(f"{self.name}.status", self.record["status"], status)
        for limit in self.limits:
            self.differences.equal(f"{self.name}.reasons {limit}", limit in self.record["reasons"], True)
        wanted = lambda limit: ("hot_plausible", "none") if limit in DOUBTS else ("hot_checked", "checked")
        ours = self.checks + [(wanted(limit)[0], "==", limit, wanted(limit)[1], False) for limit in self.limits]
        exact = lambda text, op: text if op == "==" else Decimal(text)
        theirs = [(check["code"], check["op"], exact(check["actual"], check["op"]),
                   exact(check["threshold"], check["op"]), check["passed"]) for check in self.record["checks"]]
        self.differences.equal(f"{self.name}.checks", theirs, ours)


def hold_rental(deal, scored, differences):
    path = Path("rental", deal, scored, differences)
    path.tell("cap_rate", told(scored.cap))
    path.tell("stated_yield", told(scored.stated_yield))
    rent = path.record["inputs"].get("market_rent_2br")
    if rent is not None and deal.given is not None:
        differences.equal("rent_basis", rent["basis"], f"hud_{deal.given['rent_basis']}")
        differences.equal("hud_fiscal_year", rent["as_of"], f"FY{deal.given['hud_fiscal_year']}")
    path.tell("market_rent_2br", None if deal.doubts("rent") else deal.record["market_rent_2br"])
    path.tell("cap_rate_underwritten", told(scored.hud_cap))
    path.tell("cap_gap_pct", told(scored.gap))
    path.tell("dscr", told(scored.dscr))
    path.tell("dscr_underwritten", told(scored.hud_dscr))
    at, dscr = path.at, scored.scored_dscr
    gap = scored.gap if scored.reliability == "ok" else None
    hot_cap = path.check("hot_cap_rate", scored.cap, ">=", at("hot_cap_rate_min"))
    hot_dscr = path.check("hot_scored_dscr", dscr, ">=", at("hot_dscr_min"))
    narrow = path.check("hot_cap_gap", gap, "<", at("hot_cap_gap_below")) or gap is None
    warm_yield = path.check("warm_scored_yield", scored.yield_pct, ">=", at("warm_yield_min"))
    warm_dscr = path.check("warm_scored_dscr", dscr, ">=", at("warm_dscr_min"))
    if hot_cap and dscr is not None:
        status = "Hot" if hot_dscr and narrow else "Warm"
    else:
        status = "Warm" if warm_yield and warm_dscr else "Pass"
    path.end(deal, status)


def hold_wholesale(deal, scored, differences):
    path, record = Path("wholesale", deal, scored, differences), deal.record
    count, at = record["motivation_score"], path.at
    path.tell("list_price", told(scored.price))
    path.tell("units", None if scored.units is None else str(scored.units))
    path.tell("noi_for_arv", told(deal.for_arv))
    path.tell("motivation_score", str(count))
    level, year = path.record["inputs"]["rehab_level"], record["year_built"]
    if level["basis"] != "stated_by_source":  # Else by condition or remarks, which no record has.
        path.tell("year_built", None if year is None else str(year))
        path.tell("rehab_level", "light" if year is not None and year >= at("rehab_light_year_min") else "medium")
    exit_cap = max(at("exit_cap_rate_min"), Decimal(path.input("metro_median_cap_rate") or "0"))
    repairs = None if scored.units is None else scored.units * at(f"rehab_{level['value']}_per_unit")
    arv = rounded(deal.for_arv * 100 / exit_cap) if positive(deal.for_arv) else None
    mao = None
    if arv is not None and repairs is not None:
        mao = rounded(arv * at("arv_factor") - repairs - at("assignment_fee"))
    for name, ours in {"repairs": repairs, "arv": arv, "mao": mao}.items():
        path.tell(name, told(ours))
    price, times = positive(scored.price), lambda name: None if mao is None else mao * at(name)
    at_mao = path.check("list_price_at_mao", price, "<=", mao)
    near_mao = path.check("list_price_near_mao", price, "<=", times("warm_mao_factor"))
    far_mao = path.check("list_price_far_mao", price, "<=", times("warm_motivated_mao_factor"))
    some = path.check("hot_motivation", count, ">=", at("hot_motivation_min"))
    strong = path.check("warm_motivation", count, ">=", at("warm_motivation_min"))
    path.end(deal, "Hot" if at_mao and some else "Warm" if near_mao or (far_mao and strong) else "Pass")


def hold_creative(deal, scored, differences):
    path, count = Path("creative", deal, scored, differences), deal.record["motivation_score"]
    at = path.at
    path.tell("list_price", told(scored.price))
    path.tell("noi_for_value", told(deal.for_value))
    path.tell("motivation_score", str(count))
    rules = deal.rules["creative"]
    rate, years = rules["carry_rate_pct"], int(rules["carry_years"])
    differences.equal("carry_loan_constant", rules["carry_loan_constant"], told(constant(rate, years), 10))
    for after in (5, 7):
        name = f"carry_balloon_share_year_{after}"
        differences.equal(name, rules[name], told(share_owed(rate, years, after), 10))
    price, noi, balance = positive(scored.price), positive(deal.for_value), number(path.input("loan_balance"))
    loan = None if deal.is_cash_only or price is None else price * (HUNDRED - at("carry_down_pct")) / 100
    dscr = rounded(noi / (loan * at("carry_loan_constant"))) if noi is not None and loan is not None else None
    exit_cap = max(at("exit_cap_rate_min"), Decimal(path.input("metro_median_cap_rate") or "0"))
    value = rounded(noi * 100 / exit_cap) if noi is not None else None
    worth = least(price, value) if price is not None and value is not None else None
    equity = rounded((worth - balance) / worth * 100) if worth is not None and balance is not None else None
    path.tell("carry_dscr", told(dscr))
    path.tell("value", told(value))
    path.tell("equity_pct", told(equity))
    rate = number(path.input("loan_rate_pct"))
    path.tell("market_rate_pct", None if rate is None else deal.rate_pct)
    spread = None if rate is None else Decimal(deal.rate_pct) - rate
    takeover = balance is not None and spread is not None and spread >= at("subject_to_spread_min")
    for reason in ("subject_to_possible", "due_on_sale_risk"):
        # A limit in the place of Hot is told alone.
        if path.record["reasons"] != path.limits:
            differences.equal(f"creative.reasons {reason}", reason in path.record["reasons"], takeover)
    hot = path.check("hot_carry_dscr", dscr, ">=", at("hot_carry_dscr_min"))
    warm = path.check("warm_carry_dscr", dscr, ">=", at("warm_carry_dscr_min"))
    motivated = path.check("warm_motivation", count, ">=", at("warm_motivation_min"))
    rich = path.check("warm_equity", equity, ">=", at("warm_equity_pct_min"))
    carries = path.input("carry_term") is not None
    status = "Hot" if carries and hot else "Warm" if warm and (motivated or rich) else "Pass"
    path.end(deal, status)
    # The loan is told where the seller may carry it.
    carried = None if status == "Pass" else loan
    path.tell("carry_loan", told(carried))
    for after in (5, 7):
        owed = None if carried is None else carried * at(f"carry_balloon_share_year_{after}")
        path.tell(f"carry_balloon_year_{after}", told(owed))
