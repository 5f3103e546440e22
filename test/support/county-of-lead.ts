import type { Lead } from '../../generated/types.gen.js';
import { labelOfCounty } from '../../src/places/metros/county-label.js';

/** The county label that finds a lead: that of its record or, for a deal, of its named county. */
export function countyOfLead(lead: Lead): string {
  if (lead.lead_type !== 'motivated_listing') return lead.county;
  return lead.county === null ? '' : labelOfCounty(lead.county, lead.state);
}
