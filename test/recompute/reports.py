"""Every figure of a report, from the report, its record and /api/meta."""

from figures import HUNDRED, ONE, ZERO, Decimal, constant, least, number, positive, quotient, rounded, told
from scoring import points_of
from underwriting import LINES

IN_PERCENT = ["cap_rate", "debt_yield_pct", "cash_on_cash_pct"]
CONFIDENCE = ["address_parsed_and_zip_agrees", "county_or_parcel_linked", "list_price", "units", "noi", "rent",
              "taxes_actual", "vacancy_and_expenses_actual", "seen_within_48h", "cross_source_agreement"]
OPEN = ["scheduled", "adjourned", "unknown"]


def hold_report(report, deal, scored, differences):
    differences.record = f"report of {report['deal']['id']}"
    for hold in (hold_income, hold_sides, hold_sensitivity, hold_band, hold_offer, hold_scoring, hold_matches,
                 hold_prices, hold_market):
        hold(report, deal, scored, differences)


def hold_income(report, deal, scored, differences):
    stated, given, equal = report["underwriting"], deal.given, differences.equal
    equal("assumption_set", stated["assumption_set"], deal.set)
    equal("rate_pct", stated["rate_pct"], deal.rate_pct)
    equal("rate_as_of", stated["rate_as_of"], deal.rate_as_of)
    equal("min_dscr", stated["min_dscr"], deal.min_dscr())
    equal("loan_constant", stated["loan_constant"], told(deal.constant, 10))
    equal("loan", stated["loan"], told(deal.loan))
    equal("annual_debt_service", stated["annual_debt_service"], told(deal.service))
    equal("cash_invested", stated["cash_invested"], told(cash_in(deal)))
    equal("price_per_unit", stated["price_per_unit"], told(quotient(deal.price, deal.units)))
    equal("noi_for_value", stated["noi_for_value"], told(deal.for_value))
    equal("noi_for_value_basis", stated["noi_for_value_basis"], deal.value_basis)
    equal("noi_stabilized", stated["noi_stabilized"], told(deal.stable))
    gpr = positive(deal.gpr)
    equal("gross_rent_multiplier", stated["gross_rent_multiplier"], told(quotient(deal.price, gpr)))
    even = (deal.opex + deal.service) / gpr * 100 if gpr is not None and deal.service is not None else None
    equal("break_even_occupancy_pct", stated["break_even_occupancy_pct"], told(even))
    if deal.noi is None:
        for name in ("gross_potential_rent", "effective_gross_income", "expenses", "operating_expenses", "sensitivity"):
            equal(name, stated[name], None)
        return
    total = number(stated["stated_operating_expenses"]) or ZERO
    lines = sum(deal.lines.values())
    equal("operating_expenses", stated["operating_expenses"], told(max(lines, total)))
    equal("operating_expenses_basis", stated["operating_expenses_basis"], "stated_total" if total > lines else "lines")
    lower = {line["line"]: number(line["amount"]) for line in stated["stated_lines"]}
    declared = deal.declared_lines(deal.mix, deal.egi)
    equal("stated_lines", stated["stated_lines"], given["stated_lines"])
    equal("expenses", stated["expenses"], [
        {"line": line, "amount": told(deal.lines[line]),
         "basis": "stated" if lower.get(line, ZERO) > declared[line] else "declared"} for line in LINES])
    equal("vacancy_pct", stated["vacancy_pct"], told(deal.vacancy, 1))
    equal("gross_potential_rent", stated["gross_potential_rent"], told(deal.gpr))
    equal("effective_gross_income", stated["effective_gross_income"], told(deal.egi))
    equal("rent_basis", stated["rent_basis"], given["rent_basis"])
    equal("rent_fiscal_year", stated["rent_fiscal_year"], given["hud_fiscal_year"])
    equal("rent_is_stale", stated["rent_is_stale"], "hud_rent_stale" in deal.codes)
    mix = [{"bedrooms": kind["bedrooms"], "units": kind["units"], "market_rent": told(number(kind["gross_rent"])),
            "utility_allowance": told(number(kind["utility_allowance"]))} for kind in deal.mix]
    equal("unit_mix", stated["unit_mix"], mix if given["unit_mix_basis"] == "stated" else None)


def cash_in(deal):
    if deal.loan is None:
        return None
    return deal.price * (HUNDRED + Decimal(deal.set["closing_costs_pct"])) / 100 - deal.loan


def side(deal, noi, cap):
    """The figures of one side, as published."""
    service, loan, cash = deal.service, deal.loan, cash_in(deal)
    if noi is None or loan is None:
        figures = dict.fromkeys(["dscr", "debt_yield_pct", "cash_on_cash_pct", "max_loan_by_dscr", "max_loan"])
    else:
        carried = max(ZERO, noi / (Decimal(deal.min_dscr()) * deal.constant))
        figures = {"dscr": noi / service, "debt_yield_pct": noi / loan * 100,
                   "cash_on_cash_pct": (noi - service) / cash * 100, "max_loan_by_dscr": carried,
                   "max_loan": min(loan, carried)}
    return {name: told(value) for name, value in {"noi": noi, "cap_rate": cap, **figures}.items()}


def hold_sides(report, deal, scored, differences):
    stated = report["underwriting"]
    claimed = side(deal, deal.own_noi if deal.source in ("stated", "derived_from_advertised_cap") else None, deal.cap)
    # A claimed loss covers no debt, so that the record has no DSCR.
    claimed["dscr"] = told(deal.own_dscr) if claimed["noi"] is not None else None
    hud = side(deal, deal.noi, deal.hud_cap)
    for name in hud:
        one, other = number(claimed[name]), number(hud[name])
        gap = None if one is None or other is None else one - other
        limit = Decimal(deal.rules["plausibility"]["gap_pct_max"])
        wide = name in IN_PERCENT and gap is not None and abs(gap) > limit
        differences.equal(f"claimed.{name}", stated["claimed"][name], claimed[name])
        differences.equal(f"hud.{name}", stated["hud"][name], hud[name])
        differences.equal(f"gap.{name}", stated["gap"][name], None if wide else told(gap))


def on_loan(deal, noi, service):
    """What each case of the HUD side says: cap, coverage and cash flow."""
    return {"noi": told(noi), "cap_rate": told(noi / deal.price * 100) if deal.price else None,
            "dscr": told(quotient(noi, service)), "cash_flow": told(noi - service) if service is not None else None}


def hold_sensitivity(report, deal, scored, differences):
    rows = report["underwriting"]["sensitivity"]
    if deal.noi is None:
        return
    differences.equal("sensitivity drivers", sorted({row["driver"] for row in rows}),
                      ["expenses", "rate", "rent", "vacancy"])
    for row in rows:
        change, noi, service = Decimal(row["change"]), deal.noi, deal.service
        factor = ONE + change / 100
        if row["driver"] == "rent":
            noi = deal.income(deal.mix, deal.vacancy, factor)[-1]
        elif row["driver"] == "vacancy":
            vacancy = max(Decimal(deal.set["vacancy_min_pct"]), deal.vacancy + change)
            noi = deal.income(deal.mix, vacancy)[-1]
        elif row["driver"] == "expenses":
            noi = deal.egi - rounded(deal.opex * factor)
        elif service is not None:
            service = deal.loan * constant(Decimal(deal.rate_pct) + change, deal.set["amortisation_years"])
        for name, ours in on_loan(deal, noi, service).items():
            differences.equal(f"sensitivity {row['driver']} {row['change']} {name}", row[name], ours)


def hold_band(report, deal, scored, differences):
    """All units with one bedroom, and with two; only where nobody states the mix."""
    band = report["underwriting"]["rent_band"]
    assumed = deal.noi is not None and deal.given["unit_mix_basis"] == "assumed_2br"
    differences.equal("rent_band is there", band is not None, assumed)
    if band is None or not assumed:
        return
    differences.equal("rent_band.words", band["words"], "bedrooms unknown: between")
    for bedrooms, name in ((1, "one_bedroom"), (2, "two_bedrooms")):
        stated = band[name]
        rent = stated["market_rent"] if bedrooms == 1 else told(deal.rent)
        kinds = [{"bedrooms": bedrooms, "units": deal.units, "gross_rent": rent}]
        noi = deal.income(kinds, deal.vacancy)[-1]
        value = least(deal.ceiling, noi) if deal.checked else deal.for_value
        ours = {"market_rent": rent, **on_loan(deal, noi, deal.service), "noi_for_value": told(value)}
        for field in ("market_rent", "noi", "cap_rate", "dscr", "noi_for_value"):
            differences.equal(f"rent_band.{name}.{field}", stated[field], ours[field])


def offer_of(deal, scored):
    """The offer range; None where the income for value carries none."""
    noi, at = deal.for_value, deal.set
    step = Decimal(at["offer_step"])
    down = lambda price: price // step * step
    if noi is None or noi < step:
        return None
    share = Decimal(at["ltv_pct"]) / 100
    prices = {"target_cap": noi / Decimal(at["target_cap_pct"]) * 100,
              "dscr": noi / (Decimal(deal.min_dscr()) * deal.constant * share)}
    walk_away, price = down(min(prices.values())), positive(scored.price)
    limits = {**prices, **({"list_price": price} if price is not None else {})}
    most = min(limits.values())
    signals = min(deal.record["motivation_score"], at["offer_motivation_max"])
    discount = Decimal(at["offer_opening_discount_pct"]) + Decimal(at["offer_discount_per_motivation_pct"]) * signals
    low, high = down(most * (100 - discount) / 100), down(most)
    if low <= 0:
        return None
    mid, cap_price = down((low + high) / 2), down(prices["target_cap"])
    of_list = lambda difference: None if price is None else told(difference / price * 100, 1)
    return {
        "low": told(low), "mid": told(mid), "high": told(high), "walk_away_price": told(walk_away),
        "max_price_at_target_cap": told(cap_price), "max_price_at_min_dscr": told(down(prices["dscr"])),
        "opening_discount_pct": format(discount.normalize(), "f"),
        "headroom_pct": of_list(walk_away - (price or 0)), "discount_to_list_pct": of_list((price or 0) - mid),
        "binding_constraint": next(name for name in ("target_cap", "dscr", "list_price") if limits.get(name) == most),
        "target_met_at_list": None if price is None else cap_price >= price,
        "target_cap_pct": at["target_cap_pct"], "min_dscr": deal.min_dscr(), "noi_for_value": told(noi),
        "basis": deal.value_basis,
    }


def hold_offer(report, deal, scored, differences):
    stated, ours = report["offer_range"], offer_of(deal, scored)
    differences.equal("offer_range is there", stated is not None, ours is not None)
    for name, value in (ours or {}).items():
        differences.equal(f"offer_range.{name}", stated and stated[name], value)


def hold_scoring(report, deal, scored, differences):
    record, equal = deal.record, differences.equal
    score, confidence = report["scoring"]["deal_score"], report["scoring"]["confidence"]
    points, matches = points_of(deal, scored), record["score_inputs"]["distress_matches"]
    for name, value in points.items():
        equal(f"scoring.{name}_points", score[f"{name}_points"], told(value))
    for name, ours in {
        "total": int(told(sum(points.values()), 0)), "scored_yield_pct": told(scored.yield_pct),
        "scored_dscr": told(scored.scored_dscr if deal.own_dscr is not None else None),
        "motivation_count": len(record["motivation_signals"]), "thresholds": deal.rules["deal-score"],
        "tax_amount": matches["tax_amount"], "tax_match_confidence": matches["tax_confidence"],
        "sheriff_match_confidence": matches["sale_confidence"],
    }.items():
        equal(f"scoring.{name}", score[name], ours)
    factor = deal.rules["confidence"]["out_of_range_factor"] if deal.reliability == "proxy_out_of_range" else "1"
    equal("scoring.confidence factor", confidence["factor"], factor)
    equal("scoring.confidence score", confidence["score"], record["confidence_score"])
    equal("scoring.confidence inputs", [number(confidence["inputs"][name]) for name in CONFIDENCE],
          [number(value) for value in record["score_inputs"]["confidence"]])
    equal("scoring.rationales", report["scoring"]["rationales"], record["rationales"])
    equal("scoring.motivation_signals", report["scoring"]["motivation_signals"], record["motivation_signals"])


def hold_matches(report, deal, scored, differences):
    """The largest debt counts, and the next open sale; in its county it may still be the day before."""
    matches = deal.record["score_inputs"]["distress_matches"]
    debt = max(report["signals"], key=lambda signal: number(signal["amount"]), default=None)
    differences.equal("distress_matches.tax_amount", matches["tax_amount"], debt and debt["amount"])
    sales = {sale["confidence"] for sale in report["auctions"] if sale["sale_status"] in OPEN}
    differences.equal("distress_matches.sale_confidence", matches["sale_confidence"] in sales | {None}, True)


def hold_prices(report, deal, scored, differences):
    """Changes from the entry before in the same offer, the fall of the last offer, and whether sources disagree."""
    before, offers, sources = {}, {}, report["sources"]
    for index, entry in enumerate(report["price_history"]):
        source, price = entry["source"], Decimal(entry["price"])
        if entry["event"] in ("listed", "relisted") or source not in offers:
            before.pop(source, None)
            offers[source] = []
        change = (price - before[source]) / before[source] * 100 if source in before else None
        differences.equal(f"price_history[{index}].change_pct", entry["change_pct"], told(change))
        before[source] = price
        offers[source].append((price, entry["event"]))
    speaker = next(source for source in sources if source["speaks"])
    for name in ("list_price", "units", "cap_rate"):
        differences.equal(f"sources speaker {name}", speaker[name], deal.record[name])
    offer, reduction = offers.get(speaker["source"], []), None
    if len(offer) > 1:
        first = settled = offer[0][0]
        for price, event in offer[1:]:
            # A change of half or more without an event is not settled yet.
            half = settled * Decimal(deal.rules["motivation"]["unsettled_pct_min"]) / 100
            settled = price if event is not None or abs(price - settled) < half else settled
        reduction = rounded(max(ZERO, (first - settled) / first * 100), 1)
    differences.equal("price_reduction_pct", number(deal.record["price_reduction_pct"]), reduction)
    units = {source["units"] for source in sources if source["units"] is not None}
    prices = [Decimal(source["list_price"]) for source in sources if source["list_price"] is not None]
    # By more than 3%, as the contract says of the code.
    apart = len(prices) > 1 and max(prices) > min(prices) * Decimal("1.03")
    differences.equal("data_quality sources_disagree", "sources_disagree" in deal.codes, len(units) > 1 or apart)


def hold_market(report, deal, scored, differences):
    """Its own figures and its standing; the median cap of several deals is the one that its rationales value by."""
    own = {"list_price": deal.record["list_price"], "cap_rate": deal.record["cap_rate"],
           "price_per_unit": report["underwriting"]["price_per_unit"], "deal_score": f"{deal.record['deal_score']}.00"}
    for measure in report["market"]["measures"]:
        name, below, equals = measure["measure"], measure["below"], measure["equal"]
        differences.equal(f"market.{name} value", measure["value"], own[name])
        if name == "cap_rate" and measure["median"] is not None and report["market"]["deals"] > 1:
            valued = deal.record["rationales"]["creative"]["inputs"].get("metro_median_cap_rate")
            differences.equal("market median cap_rate", measure["median"], valued and valued["value"])
        standing = None
        if below is not None:
            standing = told((below + Decimal(equals) / 2) / measure["count"] * 100, 1)
        differences.equal(f"market.{name} percentile", measure["percentile"], standing)
