import type { Meta } from '../../generated/types.gen.js';
import type { Contract } from '../contract/contract.js';
import type { Prover } from '../contract/prover.js';
import type { Rendered } from '../contract/rendered.js';
import type { DealFeed, DealSnapshot } from './deal-feed.js';
import type { Handler } from './handler.js';
import { composeMeta } from './wire/meta.js';

export interface MetaPorts {
  readonly feed: DealFeed;
  readonly contract: Contract;
  readonly prover: Prover<Meta>;
  readonly network: string;
  readonly receiptSigner: string | undefined;
  readonly demonstration: boolean;
  readonly countListings: () => Promise<number>;
  readonly now: () => Date;
}

/** GET /api/meta: discovery metadata from live data. Composed once per published version. */
export function createGetMeta(ports: MetaPorts): Handler<'getMeta'> {
  const composed = new WeakMap<DealSnapshot, Promise<Rendered<Meta>>>();

  async function compose(snapshot: DealSnapshot): Promise<Rendered<Meta>> {
    const totalRecords = await ports.countListings();
    return ports.prover.render(composeMeta({ ...ports, snapshot, totalRecords, now: ports.now() }));
  }

  return async () => {
    const snapshot = ports.feed.current();
    let body = composed.get(snapshot);
    if (body === undefined) {
      body = compose(snapshot);
      composed.set(snapshot, body);
      // A failure is not kept: the next request tries again.
      body.catch(() => composed.delete(snapshot));
    }
    return { status: 200, body: await body };
  };
}
