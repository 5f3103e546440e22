import { absent, isKnown, known } from '../../absence.js';
import type { ObservedPrice, SourcePrices } from '../../listings/listing.js';
import { readOffer } from '../scoring/price-events.js';
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
import type { Report, ReportedPrice } from './report.js';
import { findRentBand } from './rent-band.js';
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
  const { dealId, inputs, motivationCount, countyFips, isCountyStated, scoredOn } = reportInputs;
  const underwriting = createUnderwrite(assumptions)(inputs);
  const loan = sizeLoan(underwriting, inputs, assumptions);
  return {
    assumptions,
    isCountyStated,
    isCapRateProForma: reportInputs.isCapRateProForma === true,
    underwriting,
    unitMix: rentUnitMix(inputs, assumptions),
    rentBand: findRentBand(underwriting, inputs, assumptions),
    statedTotal: inputs.operatingExpenses,
    sides: compareSides(underwriting, inputs, assumptions),
    loanConstant: publish(mortgageConstant({ ...assumptions, ratePct: underwriting.ratePct }), 10),
    cashInvested: isKnown(loan) ? known(publish(loan.value.cashIn, 2)) : loan,
    sensitivity: testSensitivity(inputs, assumptions),
    offer: suggestOffer(underwriting, inputs.listPrice, motivationCount, assumptions),
    dealScore: breakDownDealScore(reportInputs),
    confidence: breakDownConfidence(reportInputs, underwriting),
    matches,
    priceHistory: reportInputs.priceHistory.flatMap(toHistory).sort(byTime).slice(-mostPrices),
    sources: reportInputs.sources,
    formerIds: reportInputs.formerIds,
    market: compareWithMarket(dealId, countyFips, countyDeals),
    scoredOn,
  };
}

/** The contract's limit of a report's price history. */
const mostPrices = 1_000;

function toHistory({ sourceName, offers }: SourcePrices): ReportedPrice[] {
  return offers.flatMap((prices, offer) =>
    readOffer(prices, offer === 0 ? 'listed' : 'relisted').points.map(({ observedAt, price, event }, index) => {
      const changePct = changeOf(price, prices[index - 1]);
      return { sourceName, observedAt, price: publish(publishedExact(price), 2), event, changePct };
    }),
  );
}

function changeOf(price: string, before: ObservedPrice | undefined): ReportedPrice['changePct'] {
  const [from, to] = [before && publishedExact(before.price), publishedExact(price)];
  return from?.gt(0) ? known(publish(to.minus(from).div(from).times(100), 2)) : absent('not_yet_observed');
}

function byTime(one: ReportedPrice, other: ReportedPrice): number {
  return one.observedAt.getTime() - other.observedAt.getTime() || (one.sourceName < other.sourceName ? -1 : 1);
}
