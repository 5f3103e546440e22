import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Report, SensitivityRow } from '../../generated/types.gen.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { anyDeal } from './arbitrary-deal.js';
import {
  confidenceAgain,
  dealScoreAgain,
  divide,
  minus,
  offerAgain,
  percentChange,
  plain,
  round,
  scoredAgain,
  sideAgain,
  underwriteAgain,
} from './recompute.js';
import { writeReport } from './write-report.js';

const seed = 20261121;
const numRuns = 400;

/** The reports of many generated deals, any input of which may be absent. */
const reports = fc.sample(anyDeal, { seed, numRuns }).map((deal) => writeReport(deal));

function forEveryReport(hold: (report: Report) => void): void {
  for (const report of reports) hold(report);
}

describe('a report, computed again from itself', () => {
  it('keeps the contract whatever is absent: null exactly with a reason, never a zero or a guess', () => {
    const check = createValidators(loadContract()).at<Report>('#/components/schemas/Report');
    forEveryReport((report) => assert.ok(check(report), JSON.stringify(check.faults()[0])));
  });

  it('has the income of HUD rent, units and declared assumptions', () => {
    forEveryReport((report) => {
      const { income, noi } = underwriteAgain(report);
      const { underwriting: stated, deal } = report;
      assert.deepEqual(
        [stated.gross_potential_rent, stated.effective_gross_income, stated.operating_expenses, deal.noi_underwritten],
        [income?.gpr, income?.egi, income?.opex, noi].map((value) => round(value ?? null)),
      );
    });
  });

  it('has the loan, its service and what they mean for price and occupancy', () => {
    forEveryReport((report) => {
      const { underwriting: stated, deal } = report;
      const { price, income, loan, service, cashIn, constant } = underwriteAgain(report);
      assert.equal(stated.loan_constant, constant.toFixed(10));
      assert.deepEqual(
        [stated.loan, stated.annual_debt_service, stated.cash_invested].map((each) => each),
        [round(loan), round(service), round(cashIn)],
      );
      assert.equal(stated.price_per_unit, divide(price, deal.units));
      assert.equal(stated.gross_rent_multiplier, divide(price, income?.gpr));
      const breakEven = income && service ? round(income.opex.plus(service).div(income.gpr).times(100)) : null;
      assert.equal(stated.break_even_occupancy_pct, breakEven);
    });
  });

  it('lends by the declared share, unless the loan is too small or the sale takes cash only', () => {
    let loans = 0;
    forEveryReport(({ deal, underwriting: { loan, assumption_set: set, absent } }) => {
      const share = deal.list_price && plain(deal.list_price).times(set.ltv_pct).div(100);
      if (loan !== null) loans++;
      if (!share) assert.deepEqual([loan, absent.loan?.reason], [null, 'insufficient_inputs']);
      else if (share.lt(set.min_loan)) assert.deepEqual([loan, absent.loan?.reason], [null, 'not_applicable']);
      else if (loan === null) assert.equal(absent.loan?.reason, 'not_applicable');
    });
    assert.ok(loans > numRuns / 4, `${loans} loans`);
  });

  it('sets the claim beside HUD, and the gap of the figures as published', () => {
    forEveryReport((report) => {
      const { deal, underwriting } = report;
      const { claimed, hud, gap } = underwriting;
      const isClaimed = deal.noi_source === 'stated' || deal.noi_source === 'derived_from_advertised_cap';
      const onHud = sideAgain(report, deal.noi_underwritten, deal.cap_rate_underwritten);
      assert.deepEqual(figuresOf(hud), onHud);
      const onClaim = sideAgain(report, isClaimed ? deal.noi : null, deal.cap_rate);
      // A claimed loss covers no debt: the record has no DSCR then.
      if (onClaim.noi !== null && Number(onClaim.noi) <= 0) onClaim.dscr = null;
      assert.deepEqual(figuresOf(claimed), onClaim);
      if (isClaimed) assert.equal(claimed.dscr, deal.dscr);
      for (const name of ['noi', 'cap_rate', 'dscr', 'debt_yield_pct', 'cash_on_cash_pct'] as const)
        assert.equal(gap[name], minus(claimed[name], hud[name]), name);
      assert.equal(gap.cap_rate, deal.cap_gap_pct);
      assert.deepEqual(gap.absent.cap_rate, deal.absent.cap_gap_pct);
    });
  });

  it('tests every assumption by itself, with the others as declared', () => {
    let tables = 0;
    forEveryReport((report) => {
      const { sensitivity, absent } = report.underwriting;
      if (sensitivity === null) {
        assert.equal(report.deal.noi_underwritten, null);
        assert.deepEqual(absent.sensitivity, report.deal.absent.noi_underwritten);
        return;
      }
      tables++;
      assert.deepEqual(new Set(sensitivity.map(({ driver }) => driver)).size, 4);
      for (const row of sensitivity) assertRow(report, row);
    });
    assert.ok(tables > numRuns / 4, `${tables} tables`);
  });

  it('moves as one would expect: more rent is more income, dearer money is less cover', () => {
    forEveryReport(({ deal, underwriting: { sensitivity } }) => {
      for (const { driver, change, noi, dscr } of sensitivity ?? []) {
        const [base, moved] = [Number(deal.noi_underwritten), Number(noi)];
        const up = Number(change) > 0;
        if (driver === 'rent') assert.ok(up ? moved > base : moved < base);
        if (driver === 'vacancy' || driver === 'expenses') assert.ok(up ? moved < base : moved > base);
        if (driver === 'rate') assert.equal(noi, deal.noi_underwritten);
        if (dscr !== null && driver === 'rate') assert.ok(Number.isFinite(Number(dscr)));
      }
    });
  });

  it('offers what the target cap, the debt cover and the asking price allow, low <= mid <= high', () => {
    const bindings = new Set<string>();
    forEveryReport((report) => {
      const { offer_range: offer, absent, deal } = report;
      const expected = offerAgain(report);
      if (offer === null) {
        assert.equal(expected, null);
        const noi = deal.underwrite_reliability === 'ok' ? deal.absent.noi_underwritten : deal.absent.noi;
        assert.equal(absent.offer_range?.reason, noi?.reason ?? 'insufficient_inputs');
        return;
      }
      const { bindings: possible = [], ...figures } = expected ?? {};
      assert.deepEqual({ ...offer, ...figures }, offer);
      assert.ok(possible.includes(offer.binding_constraint), `${offer.binding_constraint} of ${possible.join()}`);
      bindings.add(offer.binding_constraint);
      const ends = [offer.low, offer.mid, offer.high].map(Number);
      assert.deepEqual(
        ends,
        [...ends].sort((a, b) => a - b),
      );
      assert.equal(offer.basis, deal.underwrite_reliability === 'ok' ? 'noi_underwritten' : 'noi_discounted');
    });
    assert.deepEqual([...bindings].sort(), ['list_price', 'target_cap']);
  });

  it('adds up to the deal score and the confidence of the record', () => {
    forEveryReport((report) => {
      const { deal_score: score, confidence } = report.scoring;
      assert.deepEqual({ ...score, ...dealScoreAgain(report), ...scoredAgain(report) }, score);
      assert.equal(score.total, report.deal.deal_score);
      assert.equal(score.motivation_count, report.deal.motivation_signals.length);
      assert.equal(confidenceAgain(report), confidence.score);
      assert.equal(confidence.score, report.deal.confidence_score);
      assert.equal(confidence.factor, report.deal.underwrite_reliability === 'proxy_out_of_range' ? '0.75' : '1');
    });
  });

  it('tells each change of price from the entry before', () => {
    forEveryReport(({ price_history: history }) => {
      history.forEach(({ price, change_pct: change }, index) => {
        const before = history[index - 1];
        assert.equal(change, before === undefined ? null : percentChange(before.price, price));
      });
    });
  });

  it('names a source for every field that has a value, and for none that has not', () => {
    const own = new Set(['id', 'source', 'absent', 'provenance', 'rationales', 'motivation_signals', 'data_quality']);
    const derived = new Set(['noi_source', 'dscr_status', 'underwrite_reliability']);
    forEveryReport(({ deal, provenance }) => {
      const named = provenance.flatMap(({ fields }) => fields).filter((field) => field in deal);
      const present = Object.entries(deal).filter(
        ([name, value]) => value !== null && !own.has(name) && !derived.has(name),
      );
      assert.deepEqual(named.sort(), present.map(([name]) => name).sort());
    });
  });
});

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
