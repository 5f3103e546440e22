import { isKnown, known, valueOf, type Maybe } from '../../absence.js';
import { type Auction, isUpcoming } from '../../counties/auctions/auction.js';
import type { Deal } from '../deal.js';
import { distressOf } from '../distress-of.js';
import { localDateOf, todaysAt } from '../../places/metros/local-date-of.js';
import { leadRules } from '../scoring/lead-rules.js';
import { scoreSheriffSaleLead } from '../scoring/lead-score.js';
import { scoreMotivatedLead } from '../scoring/motivated-lead-score.js';
import { scoreTaxLead } from '../scoring/tax-lead-score.js';
import type { Signal } from '../../counties/signals/signal.js';
import type { Licence } from '../../sources/source.js';
import type { MotivatedListingLead, SheriffSaleLead, TaxDelinquentLead } from './lead.js';

const dayMs = 86_400_000;

/** The earliest `lastSeenAt` that a lead may have at `now`. */
function verifiedSince(now: Date): Date {
  return new Date(now.getTime() - leadRules.verifiedWithinDays * dayMs);
}

/** The limits beyond which leads are not sold: the earliest `lastSeenAt`, and the day in each county. */
export function momentOfLeads(now: Date) {
  return { verifiedSinceMs: verifiedSince(now).getTime(), todays: todaysAt(now) };
}

/**
 * The lead of a sheriff sale at `now`, with days counted in its county's calendar. Undefined when the sale is not
 * upcoming, has no street address, or was not seen within seven days.
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
 * The lead of a tax delinquency at `now`, with days counted in its county's calendar. Undefined without a street
 * address, or when not seen within seven days.
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
 * The lead of a deal at `now`. Undefined unless the deal has a street address, matches a county record with enough
 * confidence, and both were seen within seven days.
 */
export function findDealLead(deal: Deal, now: Date): MotivatedListingLead | undefined {
  const { id, listing, matches, licence } = deal;
  const since = verifiedSince(now);
  if (!isKnown(listing.address) || listing.lastSeenAt < since) return undefined;
  // Filter first: a record that does not qualify must not hide one that does.
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

/** Whole days in the county's calendar: 0 on the day, negative after it. */
function daysUntil(date: string, countyFips: string, now: Date): number {
  return (Date.parse(date) - Date.parse(localDateOf(countyFips, now))) / dayMs;
}
