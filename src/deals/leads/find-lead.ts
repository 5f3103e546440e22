import { isKnown, known, valueOf, type Maybe } from '../../absence.js';
import type { Auction } from '../../counties/auctions/auction.js';
import { isUpcoming } from '../../counties/auctions/is-upcoming.js';
import type { Deal } from '../deal.js';
import { distressOf } from '../distress-of.js';
import { localDateOf } from '../../places/metros/local-date-of.js';
import { leadRules } from '../scoring/lead-rules.js';
import { scoreSheriffSaleLead } from '../scoring/lead-score.js';
import { scoreMotivatedLead } from '../scoring/motivated-lead-score.js';
import { scoreTaxLead } from '../scoring/tax-lead-score.js';
import type { Signal } from '../../counties/signals/signal.js';
import type { Licence } from '../../sources/source.js';
import type { MotivatedListingLead, SheriffSaleLead, TaxDelinquentLead } from './lead.js';

const dayMs = 86_400_000;

/** The first moment at which what is a lead at `now` may have been verified last. */
export function verifiedSince(now: Date): Date {
  return new Date(now.getTime() - leadRules.verifiedWithinDays * dayMs);
}

/**
 * The lead that a sale is on the day of `now` in its county; undefined for one that is over or called off, has no
 * street address, or was not seen within seven days.
 */
export function findAuctionLead(auction: Auction, licence: Licence, now: Date): SheriffSaleLead | undefined {
  const { id, address, lastSeenAt, appraisedValue, openingBid, saleStatus } = auction;
  if (!isKnown(address) || !isUpcoming(auction, now) || lastSeenAt < verifiedSince(now)) return undefined;
  const daysToSale = daysUntil(auction.saleDate, auction.countyFips, now);
  const score = scoreSheriffSaleLead({ appraisedValue, openingBid, saleStatus, daysToSale });
  return {
    leadType: 'sheriff_sale_auction',
    id,
    score,
    address: address.value,
    verifiedAt: lastSeenAt,
    licence,
    auction,
  };
}

/**
 * The lead that a tax delinquency is on the day of `now`; undefined without a street address, or not seen within seven
 * days.
 */
export function findSignalLead(signal: Signal, licence: Licence, now: Date): TaxDelinquentLead | undefined {
  const { id, countyFips, taxSaleDate, lastSeenAt, assessedValue, amount, yearsOwed } = signal;
  const address = signal.addressStatus === 'complete' ? valueOf(signal.address) : undefined;
  if (address === undefined) return undefined;
  const daysToTaxSale: Maybe<number> = isKnown(taxSaleDate)
    ? known(daysUntil(taxSaleDate.value, countyFips, now))
    : taxSaleDate;
  const inputs = { hasAddress: true, lastSeenAt, assessedValue, amountOwed: amount, yearsOwed, daysToTaxSale };
  const score = scoreTaxLead(inputs, now);
  if (score === undefined) return undefined;
  return { leadType: 'tax_delinquent_owner', id, score, address, verifiedAt: lastSeenAt, licence, signal };
}

/**
 * The lead that a deal is at `now`: matched with a county record surely enough, with a street address, and both seen
 * within seven days. Undefined for any other.
 */
export function findDealLead(deal: Deal, now: Date): MotivatedListingLead | undefined {
  const { id, listing, matches, licence } = deal;
  const since = verifiedSince(now);
  if (!isKnown(listing.address) || listing.lastSeenAt < since) return undefined;
  // Only of those that stand: one that does not must not hide another that does.
  const stands = ({ confidence, lastSeenAt }: Deal['matches']['signals' | 'auctions'][number]): boolean =>
    Number(confidence) >= Number(leadRules.motivatedListing.matchConfidenceMin) && lastSeenAt >= since;
  const distress = distressOf(
    { signals: matches.signals.filter(stands), auctions: matches.auctions.filter(stands) },
    now,
  );
  const record = valueOf(distress.sheriffSale) ?? valueOf(distress.taxDelinquency);
  const score = scoreMotivatedLead({ ...deal, distress }, deal.score);
  if (record === undefined || score === undefined) return undefined;
  return {
    leadType: 'motivated_listing',
    id,
    score,
    address: listing.address.value,
    verifiedAt: record.observedAt < listing.lastSeenAt ? record.observedAt : listing.lastSeenAt,
    licence,
    deal,
    sourceUrl: record.sourceUrl,
  };
}

/** Whole days in the county's own calendar; 0 on the day, negative after it. */
function daysUntil(date: string, countyFips: string, now: Date): number {
  return (Date.parse(date) - Date.parse(localDateOf(countyFips, now))) / dayMs;
}
