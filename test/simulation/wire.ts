import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { Pause } from '../../src/payments/settlement/pause.js';
import type { FaultKind } from './faults.js';
import type { Instance } from './instance.js';
import type { World } from './world.js';

/** An instance's connection to everything outside its process. */
export interface Wire {
  /** The instance, by the owner of its leases. */
  readonly owner: string;
  /**
   * Calls a port: the request travels, takes effect atomically, and the answer travels back. Each is a separate event
   * and may fail. A dead instance gets no answer, but its requests under way may still arrive.
   */
  call<Answer>(what: string, line: Line, effect: () => Promise<Answer> | Answer, payment?: About): Promise<Answer>;
  /** Resolves after `delayMs`. */
  sleep(delayMs: number): Promise<void>;
  /** Resolves after `delayMs`, or as soon as the signal is aborted. */
  pause: Pause;
  /** Runs after `delayMs`, unless the instance is dead. Returns its cancellation. */
  after(delayMs: number, run: () => void): () => void;
}

/** The subject of a call. */
export interface About {
  readonly nonce: Hex;
  /** The calling attempt, if its lease is named. */
  readonly owner?: string;
}

/** A kind of connection: its duration and its failures. */
export interface Line {
  readonly subject: string;
  readonly latencyMs: readonly [number, number];
  readonly slow: { readonly kind: FaultKind; readonly latencyMs: readonly [number, number] };
  readonly failsBefore: FaultKind;
  readonly failsAfter: FaultKind;
  readonly isPolled?: boolean;
}

export const databaseLine: Line = {
  subject: 'database',
  latencyMs: [0.5, 15],
  slow: { kind: 'slow database', latencyMs: [2_000, 100_000] },
  failsBefore: 'database error before commit',
  failsAfter: 'database error after commit',
};

/** Of what a relayer keeps: it may hold still before it knows, while others go on with its payments. */
export const keepLine: Line = { ...databaseLine, slow: { ...databaseLine.slow, kind: 'relayer paused at a keep' } };

export const nodeLine: Line = {
  subject: 'node',
  latencyMs: [10, 300],
  slow: { kind: 'slow node', latencyMs: [2_000, 40_000] },
  failsBefore: 'node unreachable',
  failsAfter: 'node unreachable',
};

/** Of calls that come in any number: what happens to one call of others happens to one in ten of these. */
export const pollLine: Line = { ...nodeLine, isPolled: true };

export const facilitatorLine: Line = {
  subject: 'facilitator line',
  latencyMs: [20, 500],
  slow: { kind: 'slow facilitator', latencyMs: [2_000, 60_000] },
  failsBefore: 'facilitator connection reset',
  failsAfter: 'facilitator answer lost',
};

/** Steps that few payments reach, where instances crash more often. */
const seldomSteps: ReadonlySet<string> = new Set([
  'release',
  'takeRedelivery',
  'readReplyBody',
  'recordDeliveries',
  'bookReorg',
  'moveSettlement',
  'keep',
  'forget',
  'find kept',
  'eth_sendRawTransaction',
]);

type Reject = (error: Error) => void;

export function createWire(world: World, instance: Instance): Wire {
  const { scheduler, faults, checker } = world;

  function latencyOf(line: Line): number {
    if (world.lineMs !== undefined) return world.lineMs;
    const random = world.random(line.subject);
    const [from, to] = !isSpared(line) && faults.happens(line.slow.kind) ? line.slow.latencyMs : line.latencyMs;
    return random.between(from, to);
  }

  const isSpared = ({ isPolled }: Line) => isPolled === true && !world.random('polls').chance(0.1);

  function crashes(what: string, line: Line, where: string): boolean {
    if (!instance.alive || isSpared(line)) return false;
    let chances = seldomSteps.has(what) ? 4 : 1;
    while (chances > 0 && !faults.happens('crash')) chances--;
    if (chances === 0) return false;
    faults.note(`crash ${where}`);
    world.trace(() => `${instance.name} crashes ${where}`);
    world.crash(instance);
    return true;
  }

  function answer(line: Line, settle: () => void): void {
    scheduler.after(latencyOf(line), () => {
      if (instance.alive) settle();
    });
  }

  function fail(what: string, line: Line, kind: FaultKind, about: About | undefined, reject: Reject): void {
    world.trace(() => `${instance.name} ${what}: ${kind}`);
    checker.onPortFault(what, about);
    answer(line, () => reject(new Error(`${what}: ${kind}`)));
  }

  function call<Answer>(what: string, line: Line, effect: () => Promise<Answer> | Answer, about?: About) {
    return new Promise<Answer>((resolve, reject) => {
      if (!instance.alive || (crashes(what, line, `before ${what}`) && world.random('crash').chance(0.5))) return;
      if (line.isPolled !== true || about !== undefined) world.meddle(about?.nonce);
      const { losses } = world;
      scheduler.after(latencyOf(line), async () => {
        // The machine stands still while its database is replaced.
        if (world.losses !== losses && world.restores !== 'database goes back') return;
        // A connection ends with its database.
        const isBroken = world.losses !== losses || scheduler.now() < world.losses.overAtMs;
        if (isBroken && line.failsBefore === databaseLine.failsBefore)
          return fail(what, line, line.failsBefore, about, reject);
        if (!isSpared(line) && faults.happens(line.failsBefore))
          return fail(what, line, line.failsBefore, about, reject);
        try {
          const result = await effect();
          world.trace(() => `${instance.name} ${what} -> ${describe(result)}`);
          crashes(what, line, `after ${what}`);
          if (!isSpared(line) && faults.happens(line.failsAfter)) fail(what, line, line.failsAfter, about, reject);
          else answer(line, () => resolve(result));
        } catch (error) {
          world.trace(
            () =>
              `${instance.name} ${what} fails: ${String(error).split('\n')[0]} ${Reflect.get(error as object, 'details')}`,
          );
          answer(line, () => reject(error instanceof Error ? error : new Error(String(error))));
        }
      });
    });
  }

  const after = (delayMs: number, run: () => void) =>
    scheduler.after(delayMs, () => {
      if (instance.alive) run();
    });
  return {
    owner: instance.owner,
    call,
    after,
    sleep: (delayMs) => new Promise((resolve) => after(delayMs, resolve)),
    pause: (delayMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const stop = after(delayMs, () => {
          signal.removeEventListener('abort', wake);
          resolve();
        });
        const wake = () => {
          stop();
          resolve();
        };
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
}

function describe(result: unknown): string {
  if (Array.isArray(result)) return `${result.length} items`;
  if (result === null || typeof result !== 'object') return String(result).slice(0, 66);
  const told = ['kind', 'status', 'verdict', 'outcome', 'reason', 'state', 'delivery', 'leaseOwner'].flatMap((name) => {
    const value: unknown = Reflect.get(result, name);
    return typeof value === 'string' || typeof value === 'number' ? [value] : [];
  });
  return told.join(' ') || 'something';
}
