import { hostname } from 'node:os';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';
import type { PaymentChain } from './settlement/connect-chain.js';
import { createHeartbeat, type Heartbeat } from './settlement/heartbeat.js';
import { createHeartbeatStore, type Instance } from './settlement/heartbeat-store.js';
import type { OpenSettler } from './settlement/open-settler.js';
import { chainName } from './settlement/relayer/relayer-store.js';
import { createRestoredLedger } from './settlement/restored-ledger.js';
import type { SettlementProblem } from './settlement/settler.js';

export interface OpenHeartbeat extends Pick<Heartbeat, 'beat' | 'drain'> {
  /** Why nothing can be sold now; undefined when it can. */
  settlementProblem(): SettlementProblem | undefined;
  /** Closes the settler, then hands its key back. */
  leave(): Promise<void>;
}

/** Starts the heartbeat of this process. Resolves when its settler has the key that is free, if there is one. */
export async function openHeartbeat(ports: {
  readonly database: Database;
  readonly instance: Omit<Instance, 'host'>;
  readonly chain: Pick<PaymentChain, 'terms' | 'client' | 'instance' | 'obstacle'>;
  readonly opened: OpenSettler;
  readonly elapsedMs: () => number;
  readonly log: Log;
}): Promise<OpenHeartbeat> {
  const { database, chain, opened, elapsedMs } = ports;
  const { client, obstacle } = chain;
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
    countNonces: async (address) => (await client?.getTransactionCount({ address, blockTag: 'latest' })) ?? 0,
    ledger: createRestoredLedger(isAlone, elapsedMs),
    isAlone,
    use: opened.use,
    isReady: () => settlementProblem() === undefined,
    clock: () => new Date(),
  });

  function settlementProblem(): SettlementProblem | undefined {
    const found = obstacle === undefined ? heartbeat.problem() : undefined;
    const why = obstacle ?? opened.settlementProblem();
    return found ?? (why === undefined ? undefined : { by: opened.settler.by, why });
  }

  await heartbeat.start();
  return {
    beat: heartbeat.beat,
    drain: heartbeat.drain,
    settlementProblem,
    async leave() {
      await heartbeat.stop();
      await opened.settler.close();
      // Where the database is away, the lease ends by itself.
      await store.leave().catch(() => undefined);
    },
  };
}
