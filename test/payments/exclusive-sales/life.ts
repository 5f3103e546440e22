import { setImmediate } from 'node:timers/promises';
import type { Random } from '../../simulation/random.js';

/** Where a process dies: on its way to a call, or with the answer on its way back. */
export type Moment = `${'before' | 'after'} ${string}`;

/** One process's life, which a call out of it may end. */
export interface Life {
  readonly isOver: boolean;
  /** Resolves when it is over. */
  readonly end: Promise<undefined>;
  /** Resolves when what it has sent is done: a statement outlives the process that sent it. */
  landed(): Promise<unknown>;
  /** The port as this process calls it: once it is over, nothing is answered any more. */
  reach<Port extends object>(port: Port): Port;
}

export interface LifePlan {
  /** Ends the life; none lets it last. */
  readonly death: Moment | undefined;
  /** So many calls pass there before. */
  readonly passes: number;
  /** How likely a call fails: half of those that do have taken effect. */
  readonly failureRate: () => number;
  readonly random: Random;
  readonly onDeath: (moment: Moment) => void;
}

/** Begins a life that ends as it is planned. */
export function beginLife({ death, passes, failureRate, random, onDeath }: LifePlan): Life {
  let left = passes;
  let isOver = false;
  let die: (nothing: undefined) => void = () => undefined;
  const end = new Promise<undefined>((resolve) => (die = resolve));
  const underway = new Set<Promise<unknown>>();

  /** Comes to a moment; never comes back from it when that is the last. */
  async function pass(moment: Moment): Promise<void> {
    if (!isOver && moment === death && left-- <= 0) {
      isOver = true;
      onDeath(moment);
      die(undefined);
    }
    if (isOver) await new Promise(() => undefined);
  }

  async function follow(run: () => unknown): Promise<unknown> {
    const work = Promise.resolve(run());
    underway.add(work);
    return work.finally(() => underway.delete(work));
  }

  async function call(name: string, run: () => unknown): Promise<unknown> {
    await pass(`before ${name}`);
    const fails = random.chance(failureRate());
    const tookEffect = random.chance(0.5);
    if (fails && !tookEffect) throw new Error(`${name}: the connection was lost`);
    const result = await follow(run);
    // Time for others to come between what has happened and the word of it.
    await setImmediate();
    await pass(`after ${name}`);
    if (fails) throw new Error(`${name}: the answer was lost`);
    return result;
  }

  return {
    get isOver() {
      return isOver;
    },
    end,
    landed: () => Promise.allSettled(underway),
    reach: (port) =>
      new Proxy(port, {
        get(target, name: keyof typeof port & string) {
          const run: unknown = target[name];
          if (typeof run !== 'function') return run;
          return (...args: unknown[]) => call(name, () => (run as (...args: unknown[]) => unknown)(...args));
        },
      }),
  };
}
