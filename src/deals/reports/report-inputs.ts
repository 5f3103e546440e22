import { isKnown, type Maybe, valueOf } from '../../absence.js';
import type { Deal } from '../deal.js';
import type { Listing, SourcePrices } from '../../listings/listing.js';
import type { PropertyMatches } from '../../counties/matches/match-county-records.js';
import type { DistressMatches, Score } from '../scoring/score.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting-inputs.js';

/**
 * Everything a deal's report needs that its record does not contain. Saved with each publication, so that a report
 * always matches the record its buyer saw, whatever has been observed since.
 */
export interface ReportInputs {
  readonly dealId: string;
  readonly countyFips: Maybe<string>;
  /** False when the listing names no county and the record's county comes from its ZIP. */
  readonly isCountyStated: boolean;
  /** There where the source calls its cap rate pro forma. */
  readonly isCapRateProForma?: true;
  /** As the listing states them, with the rent and rates used by the underwriting. */
  readonly inputs: UnderwritingInputs;
  /** Version of the assumption set. */
  readonly assumptionSet: string;
  readonly score: Pick<Score, 'dealScore' | 'dealScoreParts' | 'scoredYieldPct' | 'scoredDscr'>;
  readonly motivationCount: number;
  readonly confidenceInputs: Score['confidenceInputs'];
  /** The county records matched at publication. */
  readonly matches: PropertyMatches;
  readonly distress: DistressMatches;
  readonly priceHistory: readonly SourcePrices[];
  /** What each source states of the property; the one that speaks first. */
  readonly sources: readonly ReportedSource[];
  readonly formerIds: readonly string[];
  /** UTC day of the scores, YYYY-MM-DD. */
  readonly scoredOn: string;
}

/** A source of a deal, with what it states and may show. */
export interface ReportedSource extends Pick<Listing, 'listPrice' | 'units' | 'capRate'> {
  readonly sourceName: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** Makes the report inputs of a deal for publication. */
export function makeReportInputs({
  id,
  listing,
  inputs,
  underwriting,
  matches,
  distress,
  score,
  scoredAt,
}: Deal): ReportInputs {
  return {
    dealId: id,
    countyFips: listing.countyFips,
    isCountyStated: isKnown(listing.county),
    ...(listing.isCapRateProForma && { isCapRateProForma: true }),
    inputs,
    assumptionSet: underwriting.assumptionSet,
    score: {
      dealScore: score.dealScore,
      dealScoreParts: score.dealScoreParts,
      scoredYieldPct: score.scoredYieldPct,
      scoredDscr: score.scoredDscr,
    },
    motivationCount: score.motivation.length,
    confidenceInputs: score.confidenceInputs,
    matches,
    distress,
    priceHistory: listing.priceHistory,
    sources: sourcesOf(listing),
    formerIds: listing.formerIds,
    scoredOn: scoredAt.toISOString().slice(0, 10),
  };
}

function sourcesOf(listing: Listing): ReportedSource[] {
  return [sourceOf(listing, listing.sourceFirstSeenAt), ...listing.otherWords.map((word) => sourceOf(word))];
}

function sourceOf(
  { sourceName, firstSeenAt, lastSeenAt, listPrice, units, capRate }: ReportedSource,
  since = firstSeenAt,
): ReportedSource {
  return { sourceName, firstSeenAt: since, lastSeenAt, listPrice, units, capRate };
}

/** Report inputs as stored. */
export interface WrittenReportInputs {
  readonly dealId: string;
  /** Undefined when unknown. */
  readonly countyFips: string | undefined;
  /** JSON. */
  readonly text: string;
}

export function writeReportInputs(reportInputs: ReportInputs): WrittenReportInputs {
  const { dealId, countyFips } = reportInputs;
  return { dealId, countyFips: valueOf(countyFips), text: JSON.stringify(reportInputs) };
}

/** Parses report inputs from JSON: converts times back to dates. */
export function reviveReportInputs(json: ReportInputs): ReportInputs {
  const { matches, distress, priceHistory, sources } = json;
  return {
    ...json,
    matches: { signals: matches.signals.map(reviveSeen), auctions: matches.auctions.map(reviveSeen) },
    distress: { taxDelinquency: reviveMatch(distress.taxDelinquency), sheriffSale: reviveMatch(distress.sheriffSale) },
    priceHistory: priceHistory.map(({ sourceName, offers }) => ({
      sourceName,
      offers: offers.map((offer) =>
        offer.map(({ observedAt, price }) => ({ observedAt: new Date(observedAt), price })),
      ),
    })),
    sources: sources.map((source) => ({ ...reviveSeen(source), firstSeenAt: new Date(source.firstSeenAt) })),
  };
}

function reviveSeen<T extends { readonly lastSeenAt: Date }>(record: T): T {
  return { ...record, lastSeenAt: new Date(record.lastSeenAt) };
}

function reviveMatch<T extends { readonly observedAt: Date }>(match: Maybe<T>): Maybe<T> {
  return isKnown(match) ? { value: { ...match.value, observedAt: new Date(match.value.observedAt) } } : match;
}
