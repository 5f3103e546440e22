import type * as Wire from '../../../generated/types.gen.js';
import { absent, isKnown, known, type Maybe } from '../../absence.js';
import { maybeTwoDigits, twoDigits } from '../decimal-text.js';
import type { Report } from '../../deals/reports/report.js';
import { offerVersion } from '../../underwriting/offer-range.js';
import { createAbsence } from '../absence.js';
import { marketToWire } from './market.js';
import { matchedAuctionToWire, matchedSignalToWire } from './matches.js';
import { composeProvenance } from './report-provenance.js';
import { scoringToWire } from './report-scoring.js';
import { underwritingToWire } from './report-underwriting.js';

/** The feed version behind a report. */
export interface ReportedVersion {
  readonly version: number;
  readonly publishedAt: Date;
}

/** Converts a report to the contract's form, around the deal's record as published; `requestedId` may be an alias. */
export function reportToWire(
  report: Report,
  deal: Wire.Deal,
  requestedId: string,
  { version, publishedAt }: ReportedVersion,
): Wire.Report {
  const { absentFields, take } = createAbsence<Wire.Report['absent']>();
  const { rental, wholesale, creative } = deal.rationales;
  const notices = [rental, wholesale, creative].flatMap((rationale) => rationale.state_notices);
  return {
    deal,
    requested_id: requestedId,
    former_ids: [...report.formerIds],
    underwriting: underwritingToWire(report),
    scoring: scoringToWire(report, deal),
    signals: report.matches.signals.map(matchedSignalToWire),
    auctions: report.matches.auctions.map(matchedAuctionToWire),
    offer_range: take('offer_range', offerToWire(report.offer)),
    price_history: report.priceHistory.map(pricePointToWire),
    sources: report.sources.map((source, index) => sourceToWire(source, index === 0)),
    market: marketToWire(report.market),
    provenance: composeProvenance(report, deal),
    state_notices: [...new Set(notices)],
    feed_version: version,
    generated_at: publishedAt.toISOString(),
    absent: absentFields,
  };
}

function offerToWire(offer: Report['offer']): Maybe<Wire.OfferRange> {
  if (!isKnown(offer)) return offer;
  const { value: range } = offer;
  const { absentFields, take } = createAbsence<Wire.OfferRange['absent']>();
  return known({
    rule_version: offerVersion,
    low: twoDigits(range.low),
    mid: twoDigits(range.mid),
    high: twoDigits(range.high),
    walk_away_price: twoDigits(range.walkAwayPrice),
    max_price_at_target_cap: twoDigits(range.maxPriceAtTargetCap),
    max_price_at_min_dscr: twoDigits(range.maxPriceAtMinDscr),
    opening_discount_pct: range.openingDiscountPct,
    headroom_pct: take('headroom_pct', range.headroomPct),
    discount_to_list_pct: take('discount_to_list_pct', range.discountToListPct),
    binding_constraint: range.bindingConstraint,
    target_met_at_list: take('target_met_at_list', range.targetMetAtList),
    target_cap_pct: range.targetCapPct,
    min_dscr: range.minDscr,
    noi_for_value: range.noiForValue,
    basis: range.basis,
    absent: absentFields,
  });
}

function pricePointToWire(point: Report['priceHistory'][number]): Wire.PricePoint {
  const { observedAt, price, sourceName, event, changePct } = point;
  const { absentFields, take } = createAbsence<Wire.PricePoint['absent']>();
  return {
    observed_at: observedAt.toISOString(),
    price,
    source: sourceName,
    event: take('event', event === undefined ? absent('not_applicable') : known(event)),
    change_pct: take('change_pct', changePct),
    absent: absentFields,
  };
}

function sourceToWire(source: Report['sources'][number], speaks: boolean): Wire.ReportSource {
  const { absentFields, take } = createAbsence<Wire.ReportSource['absent']>();
  return {
    source: source.sourceName,
    list_price: take('list_price', maybeTwoDigits(source.listPrice)),
    units: take('units', source.units),
    cap_rate: take('cap_rate', maybeTwoDigits(source.capRate)),
    first_seen: source.firstSeenAt.toISOString(),
    last_seen: source.lastSeenAt.toISOString(),
    speaks,
    absent: absentFields,
  };
}
