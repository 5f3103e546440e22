import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { HeartbeatStore } from '../../src/payments/settlement/heartbeat-store.js';
import { noLosses } from './losses.js';
import { databaseLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** The lease of a relayer's key. */
export interface KeyLease {
  readonly owner: string;
  /** By the scheduler's clock. */
  readonly untilMs: number;
  readonly nextNonce: number;
}

/** The last beat of a process. */
export interface LastBeat {
  readonly name: string;
  readonly beat: number;
  readonly seenAtMs: number;
}

const leaseMs = 30_000;
const missedMs = 8_000;

/** The tables of leases and beats, behind an instance's database connection: each statement is atomic. */
export function createModelHeartbeatStore(
  world: World,
  wire: Wire,
  { owner, name }: { readonly owner: string; readonly name: string },
): HeartbeatStore {
  const { leases, beats, scheduler, isEmbedded } = world;

  function isTaken(relayer: Hex): boolean {
    const lease = leases.get(relayer);
    if (isEmbedded || lease === undefined || lease.owner === owner || lease.untilMs <= scheduler.now()) return false;
    const former = beats.get(lease.owner);
    return !(former?.name === name && former.seenAtMs < scheduler.now() - missedMs);
  }

  return {
    beat: async ({ beat, written, relayers }) => {
      let losses = noLosses;
      const answer = await wire.call('beat', databaseLine, () => {
        losses = world.losses;
        const found = beats.get(owner)?.beat;
        beats.set(owner, { name, beat: (found ?? 0) < written ? (found ?? 0) : beat, seenAtMs: scheduler.now() });
        const keys = relayers.map((relayer) => {
          const lease = leases.get(relayer);
          const holder = isTaken(relayer) ? { name: lease?.owner ?? '', until: '' } : null;
          return { relayer, nextNonce: lease?.nextNonce ?? 0, holder };
        });
        const free = relayers.filter((relayer) => !isTaken(relayer));
        const relayer = free.find((each) => leases.get(each)?.owner === owner) ?? free[0];
        if (relayer !== undefined) {
          const untilMs = isEmbedded ? Infinity : scheduler.now() + leaseMs;
          leases.set(relayer, { owner, untilMs, nextNonce: leases.get(relayer)?.nextNonce ?? 0 });
        }
        return { at: world.databaseNow(), found, relayer, keys, isRebuilding: world.audits.restores.length > 0 };
      });
      world.heardBeats.set(owner, beat);
      if (!losses.noticedAtMs.has(owner)) losses.noticedAtMs.set(owner, scheduler.now());
      return answer;
    },
    catchUp: (counts) =>
      wire.call('catch up', databaseLine, () => {
        world.audits.restores.push(world.databaseNow());
        for (const [relayer, count] of counts) {
          const lease = leases.get(relayer) ?? { owner: '', untilMs: scheduler.now(), nextNonce: 0 };
          leases.set(relayer, { ...lease, nextNonce: Math.max(lease.nextNonce, count) });
        }
      }),
    tryRoom: async () => undefined,
    leave: async () => undefined,
  };
}
