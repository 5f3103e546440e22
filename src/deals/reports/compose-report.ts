import { absent, isKnown, known } from '../../absence.js';
import type { ObservedPrice } from '../../listings/listing.js';
import type { AssumptionSet } from '../../underwriting/assumption-set.js';
import { publish, publishedExact } from '../../underwriting/decimal.js';
import { rentUnitMix } from '../../underwriting/unit-mix.js';
import { mortgageConstant } from '../../underwriting/mortgage.js';
import { suggestOffer } from '../../underwriting/offer-range.js';
import { createUnderwrite } from '../../underwriting/underwrite.js';
import { breakDownConfidence, breakDownDealScore } from './break-down-scores.js';
import type { ReportInputs } from './report-inputs.js';
import { compareWithMarket, type ComparedDeal } from './market.js';
import type { PropertyMatches } from '../../counties/matches/match-county-records.js';
import type { PricePoint, Report } from './report.js';
import { testSensitivity } from './sensitivity.js';
import { sizeLoan } from './size-loan.js';
import { compareSides } from './underwriting-sides.js';

export interface ReportParts {
  readonly inputs: ReportInputs;
  /** The assumption set of the version that the report inputs name. */
  readonly assumptions: AssumptionSet;
  readonly matches: PropertyMatches;
  /** The deals of the same county in the same feed version. */
  readonly countyDeals: readonly ComparedDeal[];
}

/** Composes a report. Pure and total: the same inputs give the same report, whichever of them are absent. */
export function composeReport({ inputs: reportInputs, assumptions, matches, countyDeals }: ReportParts): Report {
  const { dealId, inputs, motivationCount, prices, countyFips, isCountyStated, scoredOn } = reportInputs;
  const underwriting = createUnderwrite(assumptions)(inputs);
  const loan = sizeLoan(underwriting, inputs, assumptions);
  return {
    assumptions,
    isCountyStated,
    underwriting,
    unitMix: rentUnitMix(inputs, assumptions),
    statedTotal: inputs.operatingExpenses,
    sides: compareSides(underwriting, inputs, assumptions),
    loanConstant: publish(mortgageConstant({ ...assumptions, ratePct: underwriting.ratePct }), 10),
    cashInvested: isKnown(loan) ? known(publish(loan.value.cashIn, 2)) : loan,
    sensitivity: testSensitivity(inputs, assumptions),
    offer: suggestOffer(underwriting, inputs.listPrice, motivationCount, assumptions),
    dealScore: breakDownDealScore(reportInputs, underwriting),
    confidence: breakDownConfidence(reportInputs, underwriting),
    matches,
    priceHistory: prices.map((price, index) => toPoint(price, prices[index - 1])),
    market: compareWithMarket(dealId, countyFips, countyDeals),
    scoredOn,
  };
}

function toPoint({ observedAt, price }: ObservedPrice, before: ObservedPrice | undefined): PricePoint {
  const [from, to] = [before && publishedExact(before.price), publishedExact(price)];
  const change = from?.gt(0) ? known(publish(to.minus(from).div(from).times(100), 2)) : absent('not_yet_observed');
  return { observedAt, price: publish(to, 2), changePct: change };
}
