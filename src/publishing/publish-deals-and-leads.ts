import type { Cutoff } from '../feeds/query/cutoff.js';
import { assumptionSet } from '../underwriting/assumption-set.js';
import type { RatesAt } from '../underwriting/mortgage-rates.js';
import { createFiguresOf, nameOfAssumptions } from '../underwriting/underwriting-inputs.js';
import { noteUnderwritten } from '../underwriting/underwriting-store.js';
import type { RecordsToExamine } from './publish-county-records.js';
import { publishDeals, type DealsPorts, type PublishDealsInput } from './publish-deals.js';
import { publishLeads, type LeadsPorts } from './publish-leads.js';
import { publishWithLeads } from './publish-with-leads.js';
import type { Readers } from './readers.js';
import type { OnProgress } from './source-work.js';
import type { Database } from '../db/database.js';

export interface DealsAndLeadsPorts {
  readonly database: Database;
  readonly readers: Readers;
  readonly ratesAt: RatesAt;
  readonly deals: DealsPorts;
  readonly leads: LeadsPorts;
}

export interface DealsAndLeadsInput extends Pick<PublishDealsInput, 'since' | 'examine'> {
  readonly cutoff: Cutoff;
  readonly withLeads: boolean;
  readonly onProgress: OnProgress | undefined;
}

/**
 * Underwrites listings, and publishes their deals and the leads: of the listings to examine; of all as well after a
 * change of interest rates, rents or assumptions.
 */
export async function publishDealsAndLeads(ports: DealsAndLeadsPorts, input: DealsAndLeadsInput) {
  const { readers } = ports;
  const { since, cutoff, withLeads, onProgress } = input;
  const { at } = cutoff;
  const rates = ports.ratesAt(at);
  const assumptions = nameOfAssumptions(assumptionSet.version, rates);
  const isEveryDeal =
    input.examine.kind === 'all' ||
    (await readers.readUnderwritten())?.assumptions !== assumptions ||
    (await readers.rents.changedSince(since.at, at));
  const examine: RecordsToExamine = isEveryDeal ? { kind: 'all' } : input.examine;
  const common = { since, examine, cutoff, onProgress };
  const figuresOf = createFiguresOf(await readers.rents.loadRents(at), rates, at);
  const published = await publishWithLeads(
    (emitLeads) => publishDeals(ports.deals, { ...common, figuresOf, emitLeads }),
    withLeads
      ? (dealLeads, areDealsPublished) =>
          publishLeads(ports.leads, {
            ...common,
            dealLeads,
            onProgress: (progress) => areDealsPublished() && onProgress?.(progress),
          })
      : undefined,
  );
  if (isEveryDeal) await noteUnderwritten(ports.database.knex, { assumptions, at });
  return { ...published, isEveryDeal };
}
