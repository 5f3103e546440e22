import type { Lead } from '../../generated/types.gen.js';
import { countyLabel, labelOfCounty } from '../../src/metros/county-label.js';
import { findCountyOfZip } from '../../src/metros/find-county-of-zip.js';

/** The label that a lead is found by: its record's own; of a deal that of its stated county, else of its ZIP's. */
export function countyOfLead(lead: Lead): string {
  if (lead.lead_type !== 'motivated_listing') return lead.county;
  if (lead.county !== null) return labelOfCounty(lead.county, lead.state);
  const fips = lead.zip === null ? undefined : findCountyOfZip(lead.zip);
  return fips === undefined ? '' : countyLabel(fips, lead.state);
}
