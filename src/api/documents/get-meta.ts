import type { Meta, ShortMeta } from '../../../generated/types.gen.js';
import type { Contract } from '../../contract/contract.js';
import { createProver } from '../../contract/prover.js';
import type { Validators } from '../../contract/validators.js';
import type { Handler } from '../handler.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';
import { composeMeta, type MetaInputs } from '../../records/meta.js';
import { recordSchemaNotes } from '../../records/record-schema-notes.js';
import { shortMeta } from '../../records/short-meta.js';

export interface MetaPorts {
  readonly feeds: SoldFeeds;
  readonly contract: Contract;
  readonly validators: Validators;
  readonly network: string;
  readonly receiptSigner: string | undefined;
  readonly demonstration: boolean;
  readonly countRetired: () => Promise<number>;
  readonly readHealth: () => Promise<Pick<MetaInputs, 'sources' | 'underwriting'>>;
  readonly now: () => Date;
}

/** GET /api/meta: discovery metadata, composed per call. `operations/answer-free.ts` keeps it while its ETag stays. */
export function createGetMeta(ports: MetaPorts): Handler<'getMeta'> {
  const inputs = { ...ports, recordSchemaNotes: recordSchemaNotes(ports.contract.document) };
  const prover = createProver<Meta>(ports.validators, 'Meta');
  const shortProver = createProver<ShortMeta>(ports.validators, 'ShortMeta');
  return async ({ query }) => {
    if (query.view === 'short') return { status: 200, body: shortProver.render(shortMeta(ports)) };
    const health = await ports.readHealth();
    return { status: 200, body: prover.render(await composeMeta({ ...inputs, ...health, now: ports.now() })) };
  };
}
