import type { Lead } from '../../generated/types.gen.js';
import { labelOfCounty } from '../../src/places/metros/county-label.js';

/** The label that a lead is found by: its record's own, and of a deal that of the county which it names. */
export function countyOfLead(lead: Lead): string {
  if (lead.lead_type !== 'motivated_listing') return lead.county;
  return lead.county === null ? '' : labelOfCounty(lead.county, lead.state);
}
