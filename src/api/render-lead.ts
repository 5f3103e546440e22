import type * as Wire from '../../generated/types.gen.js';
import { isKnown, valueOf } from '../absence.js';
import type { Prover } from '../contract/prover.js';
import { foldPlace } from '../feeds/feed-kind.js';
import type { LeadColumns } from '../feeds/lead-kind.js';
import type { PublishedRecord } from '../feeds/published-record.js';
import type { Lead } from '../leads/lead.js';
import { countyLabel, labelOfCounty } from '../metros/county-label.js';
import { findTimeZone } from '../metros/local-date-of.js';
import type { LeadViews } from './lead-feed.js';
import { leadToWire } from './wire/lead.js';

/** Renders a lead for publication: its proven text, and the columns that the feed ranks and filters by. */
export function createRenderLead(prover: Prover<Wire.Lead>): (lead: Lead) => PublishedRecord<LeadColumns, LeadViews> {
  return (lead) => {
    const wire = leadToWire(lead);
    return {
      columns: {
        id: wire.id,
        leadScore: wire.lead_score,
        leadType: wire.lead_type,
        state: foldPlace(wire.state),
        county: countyOf(lead, wire),
        verifiedMs: lead.verifiedAt.getTime(),
        ...datesOf(lead),
      },
      placeKeys: [],
      views: { full: prover.prove(wire) },
    };
  };
}

/** The county's label: what a deal states of its county is a name, and without one its ZIP tells the county. */
function countyOf(lead: Lead, wire: Wire.Lead): string | undefined {
  if (lead.leadType !== 'motivated_listing') return wire.county === null ? undefined : foldPlace(wire.county);
  const { county, countyFips, state } = lead.deal.listing;
  if (isKnown(county)) return foldPlace(labelOfCounty(county.value, state));
  return isKnown(countyFips) ? foldPlace(countyLabel(countyFips.value, state)) : undefined;
}

/** When the property is to be sold, and where that day is over when. */
function datesOf(lead: Lead): Pick<LeadColumns, 'saleDate' | 'timeZone'> {
  if (lead.leadType === 'sheriff_sale_auction')
    return { saleDate: lead.auction.saleDate, timeZone: findTimeZone(lead.auction.countyFips) ?? 'UTC' };
  if (lead.leadType === 'tax_delinquent_owner' && isKnown(lead.signal.taxSaleDate))
    return { saleDate: valueOf(lead.signal.taxSaleDate) };
  return {};
}
