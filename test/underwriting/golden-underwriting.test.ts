import assert from 'node:assert/strict';
import { isKnown, known, type Maybe } from '../../src/absence.js';
import { compareSides } from '../../src/deals/reports/underwriting-sides.js';
import type { AssumptionSet } from '../../src/underwriting/assumption-set.js';
import { Exact } from '../../src/underwriting/decimal.js';
import { suggestOffer } from '../../src/underwriting/offer-range.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import type { UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { buildInputs, buildRent, plainSet } from './build-listing.js';
import { golden, near } from './golden.js';

const text = (value: number) => known(String(value));
const read = (figure: Maybe<string>): string => (isKnown(figure) ? figure.value : assert.fail(figure.absent));

/** Without declared expenses or a lowest vacancy: an example states its own. */
const bareSet: AssumptionSet = {
  ...plainSet,
  vacancyMinPct: '0',
  taxesPctOfEgi: { byState: {}, elsewhere: '0' },
};

/** One rate for every building. */
function rated(ratePct: number): Pick<UnderwritingInputs, 'rates'> {
  return { rates: { asOf: '2026-11-01', oneToFourUnitsPct: String(ratePct), fivePlusUnitsPct: String(ratePct) } };
}

/** An underwriting and its two sides as the service makes them, with the assumptions of an example. */
function underwrite(inputs: Partial<UnderwritingInputs>, assumptions: Partial<AssumptionSet>) {
  const [given, set] = [buildInputs(inputs), { ...bareSet, ...assumptions }];
  const figures = createUnderwrite(set)(given);
  const { claimed, hud } = compareSides(figures, given, set);
  return { figures, claimed, hud, offer: suggestOffer(figures, given.listPrice, 0, set) };
}

/** Units with the given total potential rent a year. */
function renting(units: number, gpr: number): Partial<UnderwritingInputs> {
  return { units: known(units), rent: buildRent(new Exact(gpr).div(units * 12).toFixed()) };
}

describe('published worked examples, underwritten by the service', () => {
  it('G04, P01: the largest loan on a stated NOI is limited by the minimum DSCR, when the price allows more', () => {
    for (const { in: given, max_loan: expected, tolerance } of [
      { in: golden('G04').in, max_loan: golden('G04').published.max_loan, tolerance: golden('G04').tol.max_loan },
      { in: golden('P01').in, max_loan: golden('P01').exact.max_loan, tolerance: 0.005 },
    ]) {
      const rates = rated(given.rate_pct);
      const set = {
        amortizationYears: given.amort_years,
        minDscr: String(given.min_dscr),
      };
      const { claimed } = underwrite({ listPrice: text(10_000_000), noi: text(given.noi), ...rates }, set);
      near(read(claimed.maxLoanByDscr), expected, tolerance);
      near(read(claimed.maxLoan), expected, tolerance);
      const cheap = underwrite(
        { listPrice: text(2_000_000), noi: text(given.noi), ...rates },
        { ...set, ltvPct: '75' },
      ).claimed;
      near(read(cheap.maxLoanByDscr), expected, tolerance);
      near(read(cheap.maxLoan), 1_500_000, 0);
    }
  });

  it('G05: a full underwriting with itemized expenses', () => {
    const { in: given, published, exact, tol } = golden('G05');
    const expenseItems = Object.entries(given.expenses).map(([name, amount]) => ({ name, amount: String(amount) }));
    const { figures, hud } = underwrite(
      {
        listPrice: text(given.price),
        ...renting(given.units, given.gpr),
        ...rated(given.rate_pct),
        expenseItems: known(expenseItems),
      },
      {
        vacancyPct: String(given.vacancy_pct),
        otherIncomePerUnit: new Exact(given.other_income).div(given.units).toFixed(),
        ltvPct: String(published.ltv * 100),
        amortizationYears: given.amort_years,
      },
    );
    near(read(figures.grossPotentialRent), given.gpr, 0);
    near(read(figures.effectiveGrossIncome), published.egi, 0);
    near(read(figures.operatingExpenses), published.opex, 0);
    near(read(figures.noiUnderwritten), published.noi, 0);
    near(read(figures.capRateUnderwritten), published.cap_rate_pct, 0);
    near(read(figures.pricePerUnit), published.price_per_unit, 0);
    near(read(figures.loan), given.loan, 0);
    near(read(figures.annualDebtService), published.ads, tol.ads);
    near(read(figures.annualDebtService), exact.ads, 0);
    near(read(figures.dscrUnderwritten), published.dscr, tol.dscr);
    near(read(hud.debtYieldPct), published.debt_yield * 100, 0.005);
  });

  it('G07: income and debt service to the dollar', () => {
    const { in: given, published, tol } = golden('G07');
    const { figures } = underwrite(
      {
        listPrice: text(5_400_000),
        ...renting(10, given.gpi),
        ...rated(given.rate_pct),
        expenseItems: known([{ name: 'all', amount: String(given.opex) }]),
      },
      {
        vacancyPct: String(given.vacancy_pct),
        ltvPct: '70',
        amortizationYears: given.amort_years,
      },
    );
    near(read(figures.loan), given.loan, 0);
    near(read(figures.effectiveGrossIncome), published.egi, 0);
    near(read(figures.noiUnderwritten), published.noi, 0);
    near(read(figures.annualDebtService), published.ads, tol.any);
    near(read(figures.dscrUnderwritten), published.dscr, tol.dscr);
  });

  it('G09: the income and the ratios of one sheet', () => {
    const { in: given, published } = golden('G09');
    const { figures } = underwrite(
      {
        listPrice: text(given.price),
        ...renting(given.units, given.gpr),
        expenseItems: known([{ name: 'all', amount: String(given.opex) }]),
      },
      { vacancyPct: String(given.vacancy_pct), otherIncomePerUnit: String(given.other_income / given.units) },
    );
    near(read(figures.effectiveGrossIncome), published.egi, 0);
    near(read(figures.noiUnderwritten), published.noi, 0);
    near(read(figures.capRateUnderwritten), published.cap_rate_pct, 0);
    near(read(figures.grossRentMultiplier), published.grm, 0);
    near(read(figures.pricePerUnit), published.price_per_unit, 0);
  });

  it('G11: the declared vacancy includes collection loss, which applies to rent net of vacancy', () => {
    const { in: given, published } = golden('G11');
    const collectionLoss = ((100 - given.vacancy_pct) * given.collection_loss_pct_of_net) / 100;
    const { figures, offer } = underwrite(
      {
        listPrice: text(10_000_000),
        ...renting(given.units, published.gpr),
        expenseItems: known([{ name: 'all', amount: String(given.opex) }]),
      },
      { vacancyPct: String(given.vacancy_pct + collectionLoss), targetCapPct: String(given.cap_rate_pct) },
    );
    const lost = new Exact(published.gpr).minus(read(figures.effectiveGrossIncome));
    near(lost, published.vacancy_loss + published.collection_loss, 0);
    near(read(figures.noiUnderwritten), published.noi, 0);
    assert.ok(isKnown(offer));
    near(offer.value.maxPriceAtTargetCap, published.value, 0);
  });
});
