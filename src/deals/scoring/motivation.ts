import { absent, isKnown, known, type Maybe } from '../../absence.js';
import type { Listing } from '../../listings/listing.js';
import { Exact, exactOf } from '../../underwriting/decimal.js';
import type { PricesRead } from './price-reduction.js';
import type { RemarksTopic } from './remarks-words.js';
import type { RemarksReading } from './read-remarks.js';
import { motivationRules } from './rule-sets.js';
import type { DistressMatches, MotivationCode, MotivationSignal } from './score.js';
import type { ScoredValues } from './scored-values.js';

/** The inputs of motivation. */
export interface MotivationInputs {
  readonly listing: Listing;
  /** A doubted price is neither a reduced one nor one under the assessed value. */
  readonly values: Pick<ScoredValues, 'listPrice' | 'doubted'>;
  readonly remarks: RemarksReading;
  readonly distress: DistressMatches;
  readonly daysOnFeed: number;
  readonly prices: PricesRead;
}

/**
 * The motivation codes that apply to a listing with their evidence, each at most once, in the order of the closed list.
 * The motivation score is their number. Evidence is a plain phrase of this service: never remarks verbatim, never a
 * name.
 */
export function findMotivation(
  inputs: MotivationInputs,
  rules: typeof motivationRules = motivationRules,
): MotivationSignal[] {
  const { listing, distress } = inputs;
  const signals: MotivationSignal[] = [];
  const fire = (
    code: MotivationCode,
    evidence: string,
    observedAt: Date = listing.lastSeenAt,
    sourceUrl: Maybe<string> = listing.listingUrl,
  ): void => {
    signals.push({ code, evidence, sourceUrl, observedAt });
  };

  readHistory(inputs, rules.thresholds, fire);
  readWords(inputs, fire);
  readFigures(inputs, rules.thresholds, fire);
  if (isKnown(distress.taxDelinquency)) {
    const { observedAt, sourceUrl } = distress.taxDelinquency.value;
    fire('tax_delinquent_match', 'Matched to a county tax-delinquency record.', observedAt, known(sourceUrl));
  }
  if (isKnown(distress.sheriffSale)) {
    const { observedAt, sourceUrl } = distress.sheriffSale.value;
    fire('sheriff_sale_match', 'Matched to an upcoming sheriff sale.', observedAt, known(sourceUrl));
  }
  return signals;
}

type Fire = (code: MotivationCode, evidence: string, observedAt?: Date, sourceUrl?: Maybe<string>) => void;
type MotivationThresholds = (typeof motivationRules)['thresholds'];

const dayMs = 86_400_000;

/** Observations of this service's own runs; no page exists to link to. */
function readHistory(
  { listing, values, daysOnFeed, prices }: MotivationInputs,
  thresholds: MotivationThresholds,
  fire: Fire,
): void {
  const unpublished = absent('not_published_by_source');
  const { reductionPct, cuts, isReduced } = prices;
  const cutAt = cuts.at(-1)?.observedAt;
  const isDoubted = values.doubted.has('list_price');
  const isLower = isKnown(reductionPct) && exactOf(reductionPct.value).gte(thresholds.price_reduction_pct_min);
  if (!isDoubted && isLower) {
    fire('price_reduced', `Asking price down ${reductionPct.value}% in this offer.`, cutAt, unpublished);
  }
  if (!isDoubted && cuts.length >= Number(thresholds.repeated_cuts_min) && isReduced) {
    const evidence = `Asking price cut ${cuts.length} times in this offer.`;
    fire('repeated_price_cut', evidence, cutAt, unpublished);
  }
  const longAfter = Number(thresholds.days_on_feed_min);
  if (daysOnFeed >= longAfter) {
    const since = new Date((Math.floor(listing.firstSeenAt.getTime() / dayMs) + longAfter) * dayMs);
    fire('long_on_feed', `On the feed for ${longAfter} days or more.`, since, unpublished);
  }
  if (listing.relisted) fire('relisted', 'Left its source and came back.', listing.lastSeenAt, unpublished);
}

function readWords({ listing, remarks }: MotivationInputs, fire: Fire): void {
  const says = (topic: RemarksTopic): boolean => remarks.has(topic);
  if (says('motivated')) fire('remarks_motivated', 'The remarks speak of a sale that should happen soon.');
  if (says('estate') || listing.saleCondition === 'estate')
    fire('remarks_estate', 'Offered as an estate or probate sale.');
  if (says('as_is')) fire('remarks_as_is', 'Offered as is.');
  if (says('seller_finance')) fire('remarks_seller_finance', 'The remarks offer seller financing.');
  const distressed = isKnown(listing.condition) && listing.condition.value === 'distressed';
  if (distressed || says('distressed')) fire('distressed_condition', 'The building is described as distressed.');
}

function readFigures({ listing, values }: MotivationInputs, thresholds: MotivationThresholds, fire: Fire): void {
  if (listing.saleCondition === 'auction') fire('auction_listing', 'Offered at auction.');
  if (isKnown(listing.vacancyPct) && new Exact(listing.vacancyPct.value).gte(thresholds.vacancy_pct_min)) {
    fire('high_vacancy', `Stated vacancy of ${listing.vacancyPct.value}%.`);
  }
  if (isKnown(values.listPrice) && isKnown(listing.assessedValue)) {
    const price = exactOf(values.listPrice.value);
    if (price.gt(0) && price.lt(listing.assessedValue.value))
      fire('below_assessed', 'Asking price under the assessed value.');
  }
}
