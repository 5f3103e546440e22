import type { Meta } from '../../generated/types.gen.js';
import type { Contract } from '../contract/contract.js';
import type { Prover } from '../contract/prover.js';
import type { Rendered } from '../contract/rendered.js';
import { daysAt } from '../metros/local-date-of.js';
import type { SourceHealth } from '../sources/source-health.js';
import type { Handler } from './handler.js';
import type { SoldFeeds } from './sold-feeds.js';
import { composeMeta } from './wire/meta.js';

export interface MetaPorts {
  readonly feeds: SoldFeeds;
  readonly contract: Contract;
  readonly prover: Prover<Meta>;
  readonly network: string;
  readonly receiptSigner: string | undefined;
  readonly demonstration: boolean;
  readonly countListings: () => Promise<number>;
  readonly readHealth: () => Promise<SourceHealth>;
  readonly now: () => Date;
}

/** GET /api/meta: discovery metadata from live data. Composed once for what the feeds show, how the sources stand, and the day. */
export function createGetMeta(ports: MetaPorts): Handler<'getMeta'> {
  let composed: { readonly key: string; readonly body: Promise<Rendered<Meta>> } | undefined;

  async function compose(sources: SourceHealth): Promise<Rendered<Meta>> {
    return ports.prover.render(await composeMeta({ ...ports, sources, now: ports.now() }));
  }

  return async () => {
    const health = await ports.readHealth();
    const versions = Object.values(ports.feeds).map((feed) => `${feed.current().version} ${feed.asOf() ?? ''}`);
    const key = [...versions, daysAt(ports.now()), JSON.stringify(health)].join(' ');
    if (composed?.key !== key) {
      const attempt = { key, body: compose(health) };
      composed = attempt;
      // A failure is not kept: the next request tries again.
      attempt.body.catch(() => (composed = composed === attempt ? undefined : composed));
    }
    return { status: 200, body: await composed.body };
  };
}
