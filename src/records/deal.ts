import type * as Wire from '../../generated/types.gen.js';
import { isKnown, valueOf, type Maybe } from '../absence.js';
import type { Deal } from '../deals/deal.js';
import type { Rationale } from '../deals/scoring/rationale.js';
import type { DealColumns } from '../feeds/query/deal-kind.js';
import type { AllColumns } from '../feeds/query/feed-kind.js';
import type { ViewProvers } from '../feeds/store/in-memory-bodies.js';
import { proveView, toStored, type RecordToStore } from '../feeds/store/published-record.js';
import { createAbsence } from './absence.js';
import { basicDealToWire, compactDealToWire } from './deal-views.js';
import { maybeTwoDigits, toHundredths } from './decimal-text.js';
import type { DealViews } from './feeds/sold-feeds.js';
import { originOfDeal } from './origin.js';
import { scoreInputsToWire, underwritingInputsToWire } from './record-inputs.js';
import { countyOfDeal, locationOfDeal, placeOfDeal } from './place-columns.js';
import { provenanceToWire } from './provenance.js';

/**
 * Renders a deal for publication: its proven text in each view, and the columns by which the feed ranks and filters.
 */
export function createRenderDeal({ full, basic, compact }: ViewProvers<DealViews>): (deal: Deal) => RecordToStore {
  return (deal) => {
    const wire = dealToWire(deal);
    const columns: AllColumns<DealColumns> = {
      id: deal.id,
      city: wire.city,
      priceCents: hundredths(wire.list_price),
      capHundredths: hundredths(wire.cap_rate),
      units: valueOf(deal.listing.units),
      dealScore: wire.deal_score,
      confidenceHundredths: hundredths(wire.confidence_score) ?? 0,
      rentalStatus: wire.rental_status,
      wholesaleStatus: wire.wholesale_status,
      creativeStatus: wire.creative_status,
      reliability: wire.underwrite_reliability,
      propertyType: wire.property_type ?? undefined,
      dscrComputed: wire.dscr_status === 'computed',
      lastVerified: deal.listing.lastSeenAt,
      yearBuilt: valueOf(deal.listing.yearBuilt),
      daysOnFeed: wire.days_on_feed,
      firstSeenMs: deal.listing.firstSeenAt.getTime(),
      aliases: deal.listing.aliases.join(' ') || undefined,
      ...placeOfDeal(deal),
      ...figuresToFilter(deal),
      ...originOfDeal(deal),
    };
    const placeKeys = [...deal.place.keys, ...(deal.listing.unshownPlaceKeys ?? [])];
    return toStored(columns, placeKeys, {
      full: proveView(full, wire),
      basic: proveView(basic, basicDealToWire(wire)),
      compact: proveView(compact, compactDealToWire(wire, deal.underwriting.pricePerUnit, locationOfDeal(deal))),
    });
  };
}

/** As scores count them: a figure on a doubted value is absent. */
function figuresToFilter({ underwriting, score }: Deal) {
  const { values, prices } = score;
  const { doubted } = values;
  const price = hundredths(valueOf(values.listPrice));
  const units = valueOf(values.units);
  const isCut = price !== undefined && isKnown(prices.reductionPct);
  const isOwnDscr = underwriting.dscrStatus === 'computed' && isKnown(values.noi);
  return {
    toldCents: hundredths(valueOf(maybeTwoDigits(prices.told))),
    isPriceDoubted: doubted.has('list_price') || undefined,
    isCapDoubted: doubted.has('cap_rate') || undefined,
    centsPerUnit: price === undefined || units === undefined ? undefined : price / units,
    dscrHundredths: isOwnDscr ? hundredths(valueOf(values.dscr)) : undefined,
    capUnderwrittenHundredths: hundredths(valueOf(values.capRateUnderwritten)),
    capGapHundredths: hundredths(valueOf(values.capGapPct)),
    priceCutTenths: isCut ? Number(prices.reductionPct.value.replace('.', '')) : undefined,
    lastCutMs: isKnown(values.listPrice) ? prices.cuts.at(-1)?.observedAt.getTime() : undefined,
    priceCutCents: isCut ? hundredths(valueOf(prices.cutUsd)) : undefined,
  };
}

function hundredths(value: string | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : toHundredths(value);
}

/** Converts a deal to the contract's form: every field typed, every null with its reason. */
export function dealToWire(deal: Deal): Wire.Deal {
  const { listing, underwriting, score } = deal;
  const { absentFields, take } = createAbsence<NonNullable<Wire.Deal['absent']>>();
  const rent = isKnown(underwriting.rent) ? { value: underwriting.rent.value.rent2br } : underwriting.rent;
  return {
    id: deal.id,
    address: take('address', listing.address),
    city: listing.city,
    state: listing.state,
    zip: take('zip', listing.zip),
    source: listing.marketplace,
    listing_url: take('listing_url', listing.listingUrl),
    list_price: take('list_price', maybeTwoDigits(listing.listPrice)),
    units: take('units', listing.units),
    cap_rate: take('cap_rate', maybeTwoDigits(listing.capRate)),
    noi: take('noi', underwriting.noi),
    noi_source: take('noi_source', underwriting.noiSource),
    market_rent_2br: take('market_rent_2br', maybeTwoDigits(rent)),
    noi_underwritten: take('noi_underwritten', underwriting.noiUnderwritten),
    cap_rate_underwritten: take('cap_rate_underwritten', underwriting.capRateUnderwritten),
    dscr: take('dscr', underwriting.dscr),
    dscr_status: underwriting.dscrStatus,
    deal_score: score.dealScore,
    confidence_score: score.confidenceScore,
    why_this_is_interesting: score.headline,
    cap_gap_pct: take('cap_gap_pct', underwriting.capGapPct),
    underwrite_reliability: underwriting.reliability,
    rental_status: score.rentalStatus,
    wholesale_status: score.wholesaleStatus,
    creative_status: score.creativeStatus,
    motivation_score: score.motivation.length,
    last_verified: listing.lastSeenAt.toISOString(),
    price_reduction_pct: take('price_reduction_pct', asNumber(score.prices.reductionPct)),
    days_on_feed: score.daysOnFeed,
    county: take('county', countyOfDeal(listing)),
    property_type: take('property_type', listing.propertyType),
    year_built: take('year_built', listing.yearBuilt),
    motivation_signals: score.motivation.map(signalToWire),
    rationales: {
      rental: rationaleToWire(score.rationales.rental),
      wholesale: rationaleToWire(score.rationales.wholesale),
      creative: rationaleToWire(score.rationales.creative),
    },
    data_quality: [
      ...underwriting.dataQuality,
      ...(isAddressUnread(listing) ? ['address_not_parsed' as const] : []),
      ...(listing.sourcesDisagree ? ['sources_disagree' as const] : []),
    ],
    underwriting_inputs: take('underwriting_inputs', underwritingInputsToWire(underwriting)),
    score_inputs: scoreInputsToWire(deal),
    provenance: provenanceToWire(listing, deal.licence),
    absent: absentFields,
  };
}

/** A suppressed address, or one that nobody states, is not an unreadable one. */
function isAddressUnread({ address, addressParsed }: Deal['listing']): boolean {
  return isKnown(address) ? !addressParsed : address.absent === 'parse_failed';
}

function signalToWire(signal: Deal['score']['motivation'][number]): Wire.MotivationSignal {
  const { absentFields, take } = createAbsence<Wire.MotivationSignal['absent']>();
  return {
    code: signal.code,
    evidence: signal.evidence,
    source_url: take('source_url', signal.sourceUrl),
    observed_at: signal.observedAt.toISOString(),
    absent: absentFields,
  };
}

/** The only quantity that is a JSON number in the contract. */
function asNumber(maybe: Maybe<string>): Maybe<number> {
  return isKnown(maybe) ? { value: Number(maybe.value) } : maybe;
}

/** Converts a rationale to the contract's form. */
function rationaleToWire(rationale: Rationale): Wire.Rationale {
  return {
    path: rationale.path,
    rule_version: rationale.ruleVersion,
    status: rationale.status,
    summary: rationale.summary,
    inputs: inputsToWire(rationale.inputs),
    thresholds: rationale.thresholds,
    checks: [...rationale.checks],
    reasons: [...rationale.reasons],
    missing: [...rationale.missing],
    state_notices: [...rationale.stateNotices],
  };
}

function inputsToWire(inputs: Rationale['inputs']): Wire.Rationale['inputs'] {
  const wire: Wire.Rationale['inputs'] = {};
  for (const [name, { value, unit, basis, asOf }] of Object.entries(inputs))
    wire[name] = { value, unit, basis, as_of: asOf };
  return wire;
}
