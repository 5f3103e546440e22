import type * as Wire from '../../generated/types.gen.js';
import { isKnown, valueOf } from '../absence.js';
import type { Prover } from '../contract/prover.js';
import type { Lead } from '../deals/leads/lead.js';
import { foldPlace, type AllColumns } from '../feeds/query/feed-kind.js';
import type { PlaceColumns } from '../feeds/query/place-rules.js';
import type { LeadColumns } from '../feeds/query/lead-kind.js';
import { proveView, toStored, type RecordToStore } from '../feeds/store/published-record.js';
import type { Origin } from '../feeds/takedowns.js';
import { findTimeZone } from '../places/metros/counties.js';
import { labelOfCounty } from '../places/metros/county-label.js';
import { auctionToWire } from './auction.js';
import { dealToWire } from './deal.js';
import { originOfDeal, originOfRecord } from './origin.js';
import { placeOfDeal, placeOfRecord } from './place-columns.js';
import { signalToWire } from './signal.js';

/** Renders a lead for publication: its proven text, and the columns by which the feed ranks and filters. */
export function createRenderLead(prover: Prover<Wire.Lead>): (lead: Lead) => RecordToStore {
  return (lead) => {
    const wire = leadToWire(lead);
    const columns: AllColumns<LeadColumns> = {
      id: wire.id,
      leadScore: wire.lead_score,
      leadType: wire.lead_type,
      ...placeOf(lead),
      county: countyOf(wire),
      verifiedMs: lead.verifiedAt.getTime(),
      firstSeenMs: firstSeenOf(lead).getTime(),
      ...datesOf(lead),
      ...originOf(lead),
    };
    return toStored(columns, [], { full: proveView(prover, wire) });
  };
}

function placeOf(lead: Lead): AllColumns<PlaceColumns> {
  if (lead.leadType === 'motivated_listing') return placeOfDeal(lead.deal);
  return placeOfRecord(lead.leadType === 'sheriff_sale_auction' ? lead.auction : lead.signal);
}

function originOf(lead: Lead): Omit<AllColumns<Origin>, 'id'> {
  if (lead.leadType === 'motivated_listing') return originOfDeal(lead.deal);
  const record = lead.leadType === 'sheriff_sale_auction' ? lead.auction : lead.signal;
  return { ...originOfRecord(record), matched: undefined };
}

function firstSeenOf(lead: Lead): Date {
  if (lead.leadType === 'motivated_listing') return lead.deal.listing.firstSeenAt;
  return (lead.leadType === 'sheriff_sale_auction' ? lead.auction : lead.signal).firstSeenAt;
}

/** The county's label, also where a deal's is doubted; a deal states only the name. */
function countyOf({ lead_type: type, county, state }: Wire.Lead): string | undefined {
  if (county === null) return undefined;
  return foldPlace(type === 'motivated_listing' ? labelOfCounty(county, state) : county);
}

/** The sale date of the property, and the time zone in which that day ends. */
function datesOf(lead: Lead): AllColumns<Pick<LeadColumns, 'saleDate' | 'timeZone'>> {
  if (lead.leadType === 'sheriff_sale_auction')
    return { saleDate: lead.auction.saleDate, timeZone: findTimeZone(lead.auction.countyFips) ?? 'UTC' };
  if (lead.leadType === 'tax_delinquent_owner' && isKnown(lead.signal.taxSaleDate))
    return { saleDate: valueOf(lead.signal.taxSaleDate), timeZone: undefined };
  return { saleDate: undefined, timeZone: undefined };
}

/** Converts a lead to the contract's form: its record's own fields and its score. */
export function leadToWire(lead: Lead): Wire.Lead {
  const { base, equityGap, urgency } = lead.score.rationale;
  const { address } = lead;
  const scored = {
    lead_score: lead.score.leadScore,
    score_rationale: { base, equity_gap: equityGap, urgency },
    address,
  };
  switch (lead.leadType) {
    case 'sheriff_sale_auction':
      return {
        lead_type: lead.leadType,
        ...scored,
        ...auctionToWire(lead.auction, lead.licence),
        property_address: address,
      };
    case 'tax_delinquent_owner':
      return {
        lead_type: lead.leadType,
        ...scored,
        ...signalToWire(lead.signal, lead.licence),
        address,
        has_address: true,
        address_status: 'complete',
      };
    case 'motivated_listing':
      return {
        lead_type: lead.leadType,
        ...scored,
        source_url: lead.sourceUrl,
        ...dealToWire(lead.deal),
        address,
      };
  }
}
