import type { Hex } from '../../chain/eip3009.js';
import type { TellProblem } from '../settlement-problems.js';
import { unavailable, type Settler } from '../settler.js';

/** A settler that can begin. */
interface StartingSettler extends Settler {
  start(): void;
}

/**
 * Settles with the key that this process holds, which changes. Without one, nothing is sent: a settlement fails with
 * `unexpected_settle_error`.
 *
 * @param open opens the settler of a key, by the key's address
 */
export function createLeasedSettler(open: (relayer: Hex) => StartingSettler, problems: TellProblem) {
  let current: { readonly relayer: Hex; readonly close: Settler['close'] } | undefined;
  let changing: Promise<void> = Promise.resolve();
  const settler: Settler = { ...unavailable, close: () => use(undefined) };
  settleWith(unavailable, keyless);

  /** Replaces the methods: a sale passes no function of this file. */
  function settleWith({ verify, settle }: Settler, problem?: string): void {
    Object.assign(settler, { verify, settle });
    problems.tell('relayer.lease', problem);
  }

  /** Two settlers of one key would take each other's nonces: one is closed before the next is opened. */
  async function change(relayer: Hex | undefined): Promise<void> {
    if (current?.relayer === relayer) return;
    settleWith(unavailable, keyless);
    await current?.close();
    current = undefined;
    if (relayer === undefined) return;
    const opened = open(relayer);
    opened.start();
    current = { relayer, close: opened.close };
    settleWith(opened);
  }

  /** From now on settles with this key, or with none. The next holder follows the transactions in flight. */
  function use(relayer: Hex | undefined): Promise<void> {
    changing = changing.then(() => change(relayer));
    return changing;
  }

  return { settler, use, current: () => current?.relayer };
}

const keyless = 'No relayer key is free for this instance.';
