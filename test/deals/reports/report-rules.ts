import assert from 'node:assert/strict';
import type { Report, SensitivityRow } from '../../../generated/types.gen.js';
import { holdRecordInputs } from './hold-record-inputs.js';
import { holdRationales } from './hold-rationales.js';
import {
  confidenceAgain,
  dealScoreAgain,
  divide,
  minus,
  offerAgain,
  percentChange,
  percentile,
  plain,
  round,
  scoredAgain,
  sideAgain,
  underwriteAgain,
  valueAgain,
} from './recompute.js';

/** Rules for every report, computed only from the report; by their sentence. */
export const reportRules: Readonly<Record<string, (report: Report) => void>> = {
  'has the income of HUD rent, units and declared assumptions': (report) => {
    const { income, noi } = underwriteAgain(report);
    const { underwriting: stated, deal } = report;
    assert.deepEqual(
      [stated.gross_potential_rent, stated.effective_gross_income, stated.operating_expenses, deal.noi_underwritten],
      [income?.gpr, income?.egi, income?.opex, noi].map((value) => round(value ?? null)),
    );
    assert.deepEqual(
      [stated.expenses, stated.operating_expenses_basis],
      [income?.lines ?? null, income?.basis ?? null],
    );
    const cap = noi && deal.list_price && round(noi.div(deal.list_price).times(100));
    assert.equal(deal.cap_rate_underwritten, cap);
  },

  'sums potential rent over a unit mix only where it is of all units, at rents that HUD has': ({
    deal,
    underwriting,
  }) => {
    const { unit_mix: mix, absent } = underwriting;
    if (mix === null) return assert.ok(absent.unit_mix);
    assert.equal(
      mix.reduce((count, { units }) => count + units, 0),
      deal.units,
    );
    const bedrooms = mix.map((kind) => kind.bedrooms);
    assert.deepEqual(
      bedrooms,
      [0, 1, 2, 3, 4].filter((count) => bedrooms.includes(count)),
    );
    const twoBedroom = mix.find((kind) => kind.bedrooms === 2);
    if (twoBedroom) assert.equal(twoBedroom.market_rent, deal.market_rent_2br);
  },

  'says that the listing states the unit mix and the expenses that it stands on': ({
    underwriting,
    provenance,
    deal,
  }) => {
    const [ofListing] = provenance.filter(({ source }) => source === deal.source);
    const stated = {
      unit_mix: underwriting.unit_mix !== null,
      stated_lines: underwriting.stated_lines.length > 0,
      stated_operating_expenses: underwriting.stated_operating_expenses !== null,
    };
    for (const [field, is] of Object.entries(stated))
      assert.equal(ofListing?.fields.includes(`underwriting.${field}`), is, field);
  },

  'values by the lower of the claim and HUD, or by a share of a claim that HUD does not check': (report) => {
    const { noi_for_value: value, noi_for_value_basis: basis, noi_stabilized: stabilized } = report.underwriting;
    const { arv: _, ...expected } = valueAgain(report);
    assert.deepEqual({ value, basis, stabilized }, expected);
  },

  'bounds the HUD side by all one and all two bedrooms, only where the unit mix is not known': (report) => {
    const { rent_band: band, hud, noi_for_value: value, unit_mix: mix } = report.underwriting;
    assert.equal(band === null, mix !== null || hud.noi === null || report.deal.market_rent_2br === null);
    if (band === null) return;
    const { one_bedroom: one, two_bedrooms: two } = band;
    const { noi, price, service } = underwriteAgain(report, { oneBedroom: one.market_rent });
    const asFiled = [hud.noi, hud.cap_rate, hud.dscr, value, report.deal.market_rent_2br];
    assert.deepEqual([two.noi, two.cap_rate, two.dscr, two.noi_for_value, two.market_rent], asFiled);
    const cap1 = noi && price && divide(noi.times(100), price);
    assert.deepEqual([one.noi, one.cap_rate, one.dscr], [round(noi), cap1, divide(noi, service)]);
    const smaller = { ...report, deal: { ...report.deal, noi_underwritten: one.noi } };
    assert.equal(one.noi_for_value, valueAgain(smaller).value);
  },

  'has the NOI that its source says': ({ deal, underwriting: { claimed } }) => {
    const { noi, noi_source: source, list_price: price, cap_rate: cap } = deal;
    if (source === null) assert.equal(noi, null);
    if (source === 'underwritten') assert.equal(noi, deal.noi_underwritten);
    if (source === 'derived_from_advertised_cap')
      assert.equal(noi, price && cap && round(plain(price).times(cap).div(100)));
    if (source === 'stated') assert.equal(noi, claimed.noi);
  },

  'trusts the HUD rent where the price is within the declared multiple of it': ({ deal, underwriting }) => {
    const { list_price: price, units, market_rent_2br: rent, underwrite_reliability: told } = deal;
    if (price === null || units === null || rent === null) return assert.equal(told, 'unknown');
    const years = plain(price).div(units).div(plain(rent).times(12));
    assert.equal(told, years.gt(underwriting.assumption_set.max_rent_multiple) ? 'proxy_out_of_range' : 'ok');
  },

  'has the loan, its service and what they mean for price and occupancy': (report) => {
    const { underwriting: stated, deal } = report;
    const { price, income, loan, service, cashIn, constant } = underwriteAgain(report);
    assert.equal(stated.loan_constant, constant.toFixed(10));
    assert.deepEqual(
      [stated.loan, stated.annual_debt_service, stated.cash_invested],
      [round(loan), round(service), round(cashIn)],
    );
    assert.equal(stated.price_per_unit, divide(price, deal.units));
    assert.equal(stated.gross_rent_multiplier, divide(price, income?.gpr));
    const breakEven = income && service ? round(income.opex.plus(service).div(income.gpr).times(100)) : null;
    assert.equal(stated.break_even_occupancy_pct, breakEven);
  },

  'lends by the declared share, unless the loan is too small or the sale takes cash only': ({ deal, underwriting }) => {
    const { loan, assumption_set: set, absent } = underwriting;
    const share = deal.list_price && plain(deal.list_price).times(set.ltv_pct).div(100);
    if (!share) assert.deepEqual([loan, absent.loan?.reason], [null, 'insufficient_inputs']);
    else if (share.lt(set.min_loan)) assert.deepEqual([loan, absent.loan?.reason], [null, 'not_applicable']);
    else if (loan === null) assert.equal(absent.loan?.reason, 'not_applicable');
  },

  'sets the claim beside HUD, and the gap of the figures as published': (report) => {
    const { deal, underwriting } = report;
    const { claimed, hud, gap } = underwriting;
    const isClaimed = deal.noi_source === 'stated' || deal.noi_source === 'derived_from_advertised_cap';
    const onHud = sideAgain(report, deal.noi_underwritten, deal.cap_rate_underwritten);
    assert.deepEqual(figuresOf(hud), onHud);
    const onClaim = sideAgain(report, isClaimed ? deal.noi : null, deal.cap_rate);
    // A claimed loss covers no debt, so the record has no DSCR.
    if (onClaim.noi !== null && Number(onClaim.noi) <= 0) onClaim.dscr = null;
    assert.deepEqual(figuresOf(claimed), onClaim);
    if (isClaimed) assert.equal(claimed.dscr, deal.dscr);
    for (const name of sideFigures) {
      const expected = minus(claimed[name], hud[name]);
      assert.equal(gap[name], isTooWide(name, expected) ? null : expected, name);
    }
    assert.equal(gap.cap_rate, deal.cap_gap_pct);
    assert.deepEqual(gap.absent.cap_rate, deal.absent.cap_gap_pct);
  },

  'says why there is no gap: what applies to no such sale has none, else an input or the HUD figure is missing': ({
    underwriting: { claimed, hud, gap },
  }) => {
    for (const name of sideFigures) {
      if (gap[name] !== null) continue;
      const sides = [claimed, hud].map((side) => (side[name] === null ? side.absent[name]?.reason : undefined));
      const expected = sides.includes('not_applicable')
        ? 'not_applicable'
        : sides[0] || isTooWide(name, minus(claimed[name], hud[name]))
          ? 'insufficient_inputs'
          : sides[1];
      assert.equal(gap.absent[name]?.reason, expected, name);
    }
  },

  'tests every assumption by itself, with the others as declared': (report) => {
    const { sensitivity, absent } = report.underwriting;
    if (sensitivity === null) {
      assert.equal(report.deal.noi_underwritten, null);
      assert.deepEqual(absent.sensitivity, report.deal.absent.noi_underwritten);
      return;
    }
    assert.equal(new Set(sensitivity.map(({ driver }) => driver)).size, 4);
    for (const row of sensitivity) assertRow(report, row);
  },

  'offers what the target cap, the debt cover and the asking price allow, low <= mid <= high': (report) => {
    const { offer_range: offer, absent } = report;
    const expected = offerAgain(report);
    if (offer === null) {
      assert.equal(expected, null);
      assert.equal(absent.offer_range?.reason, 'insufficient_inputs');
      return;
    }
    assert.deepEqual({ ...offer, ...expected }, offer);
    const ends = [offer.low, offer.mid, offer.high].map(Number);
    assert.deepEqual(
      ends,
      [...ends].sort((a, b) => a - b),
    );
  },

  'adds up to the deal score and the confidence of the record': (report) => {
    const { deal_score: score, confidence } = report.scoring;
    assert.deepEqual({ ...score, ...dealScoreAgain(report), ...scoredAgain(report) }, score);
    assert.equal(score.total, report.deal.deal_score);
    assert.equal(score.motivation_count, report.deal.motivation_signals.length);
    assert.equal(confidenceAgain(report), confidence.score);
    assert.equal(confidence.score, report.deal.confidence_score);
    assert.equal(confidence.factor, report.deal.underwrite_reliability === 'proxy_out_of_range' ? '0.75' : '1');
    assert.equal(report.deal.motivation_score, score.motivation_count);
  },

  'scores the largest debt and the next open sale of the records that it lists': ({ scoring, ...report }) => {
    const { deal_score: score } = scoring;
    const [debt] = report.signals;
    assert.deepEqual([score.tax_amount, score.tax_match_confidence], [debt?.amount ?? null, debt?.confidence ?? null]);
    const open = report.auctions.filter(({ sale_status: status }) => openStatuses.has(status));
    const scoredAt = Date.parse(report.provenance.find(({ fields }) => fields.includes('deal_score'))?.as_of ?? '');
    // In the county it may still be the day before.
    const next = [0, 1].map((days) => {
      const day = new Date(scoredAt - days * 86_400_000).toISOString().slice(0, 10);
      return open.find(({ sale_date: date }) => date >= day)?.confidence ?? null;
    });
    assert.ok(next.includes(score.sheriff_match_confidence), `${score.sheriff_match_confidence} of ${next.join()}`);
  },

  'is of what the source states that speaks, the first one': ({ deal, sources }) => {
    const [{ list_price, units, cap_rate }] = sources as [Report['sources'][number]];
    assert.deepEqual([list_price, units, cap_rate], [deal.list_price, deal.units, deal.cap_rate]);
    assert.deepEqual(
      sources.map(({ speaks }) => speaks),
      sources.map((_, index) => index === 0),
    );
  },

  'tells each change of price from the entry before in the same offer': ({ price_history: history }) => {
    history.forEach(({ price, event, change_pct: change }, index) => {
      const before = event === 'listed' || event === 'relisted' ? undefined : history[index - 1];
      assert.equal(change, before === undefined ? null : percentChange(before.price, price));
    });
  },

  'tells how far the price came down from the first of the last offer to the last that is settled': (report) => {
    const { deal, price_history: history } = report;
    const begins = history.findLastIndex(({ event }) => event === 'listed' || event === 'relisted');
    const [first, ...later] = history.slice(Math.max(0, begins));
    if (!first || later.length === 0) return assert.equal(deal.price_reduction_pct, null);
    let settled = first.price;
    for (const { price, event } of later)
      if (event !== null || plain(price).minus(settled).abs().lt(plain(settled).times('0.5'))) settled = price;
    const drop = plain(first.price).minus(settled).div(first.price).times(100);
    assert.equal(deal.price_reduction_pct, Number(round(drop.lt(0) ? plain('0') : drop, 1)));
  },

  'sets the deal in its market by what is counted there': ({ deal, underwriting, market: { measures } }) => {
    const own: Record<string, string | null> = {
      list_price: deal.list_price,
      cap_rate: deal.cap_rate,
      price_per_unit: underwriting.price_per_unit,
      deal_score: `${deal.deal_score}.00`,
    };
    for (const { measure, value, below, equal, count, percentile: told } of measures) {
      assert.ok(measure in own, measure);
      assert.equal(value, own[measure] ?? null, measure);
      assert.equal(told, below === null || equal === null ? null : percentile(below, equal, count), measure);
    }
  },

  'gives rationales whose figures are its own, and which replay to their status': holdRationales,

  'repeats the inputs of the record': holdRecordInputs,

  'says of the record in the two places what is the same': ({ deal, scoring }) => {
    assert.deepEqual(scoring.rationales, deal.rationales);
    assert.deepEqual(scoring.motivation_signals, deal.motivation_signals);
  },
};

const sideFigures = [
  ...(['noi', 'cap_rate', 'dscr', 'debt_yield_pct', 'cash_on_cash_pct'] as const),
  ...(['max_loan_by_dscr', 'max_loan'] as const),
];

/** More than 100 percentage points are no comparison. */
function isTooWide(name: string, gap: string | null): boolean {
  return /rate|pct/.test(name) && gap !== null && Math.abs(Number(gap)) > 100;
}

const openStatuses: ReadonlySet<string> = new Set(['scheduled', 'adjourned', 'unknown']);

function figuresOf({ absent: _, ...figures }: Report['underwriting']['hud']): object {
  return figures;
}

function assertRow(report: Report, { driver, change, change_unit: unit, ...row }: SensitivityRow): void {
  const factor = plain(change).plus(100).div(100).toFixed();
  const scenario = {
    rent: { rentFactor: factor },
    vacancy: { vacancyPoints: change },
    rate: { ratePoints: change },
    expenses: { expenseFactor: factor },
  }[driver];
  assert.equal(unit, driver === 'rent' || driver === 'expenses' ? 'percent' : 'percentage_points');
  const { noi, price, service } = underwriteAgain(report, scenario);
  assert.ok(noi);
  assert.equal(row.noi, round(noi));
  assert.equal(row.cap_rate, price && round(noi.div(price).times(100)));
  assert.equal(row.dscr, service && round(noi.div(service)));
  assert.equal(row.cash_flow, service && round(noi.minus(service)));
}
