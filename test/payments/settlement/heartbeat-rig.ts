import assert from 'node:assert/strict';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createHeartbeat } from '../../../src/payments/settlement/heartbeat.js';
import { createHeartbeatStore } from '../../../src/payments/settlement/heartbeat-store.js';
import { createRestoredLedger } from '../../../src/payments/settlement/restored-ledger.js';
import { createSettlementProblems } from '../../../src/payments/settlement/settlement-problems.js';
import { openTestInstances } from '../../support/database.js';

export const chain = 'eip155:84532';
export const [first, second]: readonly [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];

/** Heartbeats of processes named one, two and three over one database, with a clock that stands still. */
export type HeartbeatRig = Awaited<ReturnType<typeof openHeartbeatRig>>;

export async function openHeartbeatRig() {
  const instances = await openTestInstances(2);
  const [one = assert.fail(), other = assert.fail()] = instances.databases;
  const rig = {
    nowMs: 0,
    /** What the chain counts; undefined while the node is away. */
    counts: new Map() as Map<Hex, number> | undefined,
    /** Above what these processes have kept. */
    kept: new Map<Hex, number>(),
    knex: one.knex,
    close: () => instances.close(),
    open,
  };

  function open(name: string, relayers: readonly Hex[], { isAlone = false, skewMs = (): number => 0, life = 1 } = {}) {
    const database = name === 'two' ? other : one;
    const instance = { owner: `owner of ${name}${life === 1 ? '' : life}`, name, version: '1.0.0', host: 'a-machine' };
    const store = createHeartbeatStore(database.knex, { instance, chain, isAlone });
    const warnings: string[] = [];
    let used: Hex | undefined;
    const elapsedMs = () => rig.nowMs;
    const problems = createSettlementProblems(elapsedMs);
    const heartbeat = createHeartbeat({
      ...{ store, relayers, isAlone, problems, elapsedMs },
      ledger: createRestoredLedger(elapsedMs),
      countNonces: async (relayer) => (rig.counts ?? assert.fail('the node is away')).get(relayer) ?? 0,
      async use(relayer) {
        used = relayer;
        problems.tell('relayer.lease', relayer === undefined ? 'Every relayer key is in use.' : undefined);
      },
      nextNonce: (relayer) => rig.kept.get(relayer) ?? 0,
      isReady: () => true,
      clock: () => new Date(Date.now() + skewMs()),
      log: { warn: (...told: unknown[]) => void warnings.push(String(told.at(-1))) },
    });
    return {
      ...heartbeat,
      store,
      warnings,
      used: () => used,
      restores: async () => (await one.knex('ledger_restores')).length,
      problem: problems.current,
      mayHaveSent: problems.mayHaveSent,
      why: () => problems.current()?.why,
    };
  }

  return rig;
}
