import type * as Wire from '../../generated/types.gen.js';
import { isKnown, valueOf } from '../absence.js';
import type { Prover } from '../contract/prover.js';
import { foldPlace, type AllColumns } from '../feeds/query/feed-kind.js';
import type { LeadColumns } from '../feeds/query/lead-kind.js';
import type { PublishedRecord } from '../feeds/store/published-record.js';
import type { Lead } from '../deals/leads/lead.js';
import { labelOfCounty } from '../places/metros/county-label.js';
import { findTimeZone } from '../places/metros/counties.js';
import type { LeadViews } from './feeds/lead-feed.js';
import type { Origin } from '../feeds/takedowns.js';
import { originOfDeal, originOfRecord } from './origin.js';
import { leadToWire } from './lead.js';

/** Renders a lead for publication: its proven text, and the columns by which the feed ranks and filters. */
export function createRenderLead(prover: Prover<Wire.Lead>): (lead: Lead) => PublishedRecord<LeadColumns, LeadViews> {
  return (lead) => {
    const wire = leadToWire(lead);
    return {
      columns: {
        id: wire.id,
        leadScore: wire.lead_score,
        leadType: wire.lead_type,
        state: foldPlace(wire.state),
        county: countyOf(wire),
        verifiedMs: lead.verifiedAt.getTime(),
        ...datesOf(lead),
        ...originOf(lead),
      } satisfies AllColumns<LeadColumns>,
      placeKeys: [],
      views: { full: prover.prove(wire) },
    };
  };
}

function originOf(lead: Lead): Omit<AllColumns<Origin>, 'id'> {
  if (lead.leadType === 'motivated_listing') return originOfDeal(lead.deal);
  const record = lead.leadType === 'sheriff_sale_auction' ? lead.auction : lead.signal;
  return { ...originOfRecord(record), matched: undefined };
}

/** The county's label; a deal states only the name. */
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
