import { hostname } from 'node:os';
import type { Database } from '../db/database.js';
import { onNamed } from '../db/sql/run-named.js';
import type { Log } from '../log.js';
import type { PaymentChain } from './settlement/connect-chain.js';
import { createHeartbeat, type Heartbeat } from './settlement/heartbeat.js';
import { createHeartbeatStore, type Instance } from './settlement/heartbeat-store.js';
import type { OpenSettler } from './settlement/open-settler.js';
import { chainName } from './settlement/relayer/relayer-store.js';
import { createRestoredLedger } from './settlement/restored-ledger.js';
import type { SettlementProblems } from './settlement/settlement-problems.js';

export interface OpenHeartbeat extends Pick<Heartbeat, 'beat' | 'drain' | 'clockFault'> {
  /** Closes the settler, then hands its key back. */
  leave(): Promise<void>;
}

/** Starts the heartbeat of this process. Resolves when its settler has the key that is free, if there is one. */
export async function openHeartbeat(ports: {
  readonly database: Database;
  readonly instance: Omit<Instance, 'host'>;
  readonly chain: Pick<PaymentChain, 'terms' | 'client' | 'instance'>;
  readonly opened: OpenSettler;
  readonly problems: SettlementProblems;
  readonly elapsedMs: () => number;
  readonly log: Log;
}): Promise<OpenHeartbeat> {
  const { database, chain, opened, problems, elapsedMs } = ports;
  const isAlone = database.kind === 'embedded';
  const instance = { ...ports.instance, host: hostname() };
  const store = createHeartbeatStore(database.knex, {
    instance,
    chain: chainName(chain.terms.network.id, chain.instance),
    isAlone,
  });
  const heartbeat = createHeartbeat({
    ...ports,
    store,
    relayers: opened.relayers,
    countNonces: async (address) => (await chain.client?.getTransactionCount({ address, blockTag: 'latest' })) ?? 0,
    ledger: createRestoredLedger(elapsedMs),
    isAlone,
    use: opened.use,
    nextNonce: opened.nextNonce,
    isReady: () => problems.current() === undefined,
    clock: () => new Date(),
  });
  onNamed(database.knex, ({ error }) => error !== undefined && heartbeat.hearFailure(error));

  await heartbeat.start();
  return {
    beat: heartbeat.beat,
    drain: heartbeat.drain,
    clockFault: heartbeat.clockFault,
    async leave() {
      await heartbeat.stop();
      await opened.settler.close();
      // Where the database is away, the lease ends by itself.
      await store.leave().catch(() => undefined);
    },
  };
}
