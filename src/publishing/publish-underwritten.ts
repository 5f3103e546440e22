import type { Cutoff } from '../feeds/query/cutoff.js';
import { assumptionSet } from '../underwriting/assumption-set.js';
import type { RatesAt } from '../underwriting/mortgage-rates.js';
import { createFiguresOf, nameOfAssumptions } from '../underwriting/underwriting-inputs.js';
import { noteUnderwritten } from '../underwriting/underwriting-store.js';
import { publishDeals, type DealsPorts } from './publish-deals.js';
import { publishLeads } from './publish-leads.js';
import { publishWithLeads } from './publish-with-leads.js';
import type { Readers } from './readers.js';
import type { OnProgress } from './source-work.js';
import type { Database } from '../db/database.js';

export interface UnderwrittenPorts {
  readonly database: Database;
  readonly readers: Readers;
  readonly ratesAt: RatesAt;
  readonly deals: DealsPorts;
  readonly leads: Parameters<typeof publishLeads>[0];
}

type DealRun = Parameters<typeof publishDeals>[1];

export interface UnderwrittenRun extends Pick<DealRun, 'since' | 'changed'> {
  readonly cutoff: Cutoff;
  readonly withLeads: boolean;
  readonly onProgress: OnProgress | undefined;
}

/**
 * Underwrites listings and publishes their deals, and the leads that rest on them: those that are examined, or all
 * where rates, rents or assumptions are others than before.
 */
export async function publishUnderwritten(ports: UnderwrittenPorts, wanted: UnderwrittenRun) {
  const { readers } = ports;
  const { since, cutoff, withLeads, onProgress } = wanted;
  const { at } = cutoff;
  const rates = ports.ratesAt(at);
  const assumptions = nameOfAssumptions(assumptionSet.version, rates);
  const isEveryDeal =
    wanted.changed === undefined ||
    (await readers.readUnderwritten())?.assumptions !== assumptions ||
    (await readers.rents.changedSince(since.at, at));
  const changed = isEveryDeal ? undefined : wanted.changed;
  const run = { since, changed, cutoff, onProgress };
  const figuresOf = createFiguresOf(await readers.rents.loadRents(at), rates, at);
  const published = await publishWithLeads(
    (emitLeads) => publishDeals(ports.deals, { ...run, figuresOf, emitLeads }),
    withLeads
      ? (dealLeads, areDealsPublished) =>
          publishLeads(ports.leads, {
            ...run,
            dealLeads,
            onProgress: (progress) => areDealsPublished() && onProgress?.(progress),
          })
      : undefined,
  );
  if (isEveryDeal) await noteUnderwritten(ports.database.knex, { assumptions, at });
  return { ...published, isEveryDeal };
}
