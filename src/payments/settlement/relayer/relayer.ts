import type { Hex } from '../../chain/eip3009.js';
import type { Log } from '../../../log.js';
import type { RelayerStore } from './relayer-store.js';
import { noGas, type TellProblem } from '../settlement-problems.js';
import { describeFault } from '../describe-fault.js';
import { describeStuck, stuckAfterMs } from './describe-stuck.js';
import { createNonceBook, type InFlight, type Relayed } from './nonce-book.js';
import { createNonceUpkeep, type NonceUpkeep } from './nonce-upkeep.js';
import { createNonceWatch } from './nonce-watch.js';
import { createFollower } from './follow-kept.js';
import { pauseByTimer, type Pause } from '../pause.js';
import type { RelayerTally } from './relayer-tally.js';
import type { SyncSupport } from './submit-transaction.js';
import { KeptInDoubtError, createTransmitter, type ClaimedCall, type TransmitterPorts } from './transmitter.js';

/** What is to be sent. */
export interface RelayedCall extends ClaimedCall {
  /** When its turn comes later than this it is refused: behind a chain that does not move the line grows long. */
  readonly notAfterMs: number;
}

export interface RelayerOptions extends Omit<TransmitterPorts, 'pause' | 'closing'> {
  readonly pause?: Pause;
  /** Follows what is in flight. */
  readonly openWatch?: typeof createNonceWatch | undefined;
  readonly store: RelayerStore;
  readonly problems: TellProblem;
  readonly tally: RelayerTally;
  readonly log: Pick<Log, 'warn'>;
  /** How many blocks deep a receipt must be, its own block counted. */
  readonly confirmations: number;
  /** How long a transaction may wait to be mined before it is replaced by one that offers more. */
  readonly bumpAfterMs: number;
}

const maxInFlight = 64;
const warnEveryMs = 60_000;
const restoreAgainMs = 1_000;

/** The one writer of a key. */
export type Relayer = ReturnType<typeof createRelayer>;

/**
 * Creates the relayer of a key. It counts the nonces itself and has many transactions in flight; each is kept in the
 * store before it is sent, and tended until the chain has used its nonce: sent again, replaced with higher fees, or
 * given up for a transfer of nothing. No other program may use the key at the same time: they would take each other's
 * nonces. It notices, counts anew and warns.
 */
export function createRelayer(options: RelayerOptions) {
  const { problems, nowMs } = options;
  const { address } = options.signer;
  const tellStuck = createStuckTeller(options, () => book.list()[0]);
  const book = createNonceBook(tellWhetherStuck);
  const closing = new AbortController();
  const { pause = pauseByTimer, openWatch = createNonceWatch } = options;
  const ports = { ...options, ...options.client.times, address, pause, closing: closing.signal };
  const transmitter = createTransmitter(ports);
  const upkeep = createNonceUpkeep({ ...ports, book, transmitter, looked });
  const sync: SyncSupport = { unsupportedSinceMs: undefined };
  const warn = createWarning(options, address);
  const inTurn = createLine();
  /** Running calls. */
  let calls = 0;

  /**
   * Signs, keeps and sends, in the order of the calls, without waiting for those before to be mined. Resolves when the
   * call's nonce is used and as deep as is asked for, when it surely never will be, or at `close`. Never rejects.
   */
  async function send(call: RelayedCall): Promise<Relayed> {
    calls += 1;
    try {
      const entry = await inTurn(() => launch(call));
      if (entry.isForgotten) return { outcome: 'refused', detail: 'The store has failed' };
      // The watch may see the receipt before the node answers.
      const answer = await Promise.race([transmitter.transmit(entry, sync), entry.relayed]);
      if ('outcome' in answer) return answer;
      if (answer.kind === 'mined' && options.confirmations === 1) book.conclude(entry, answer.receipt);
      else if (answer.kind === 'mined') {
        entry.receipt = answer.receipt;
        watch.wake();
      } else if (entry.mayBeOut) watch.wake();
      else {
        if (/insufficient funds for gas/i.test(answer.detail)) problems.tell('relayer.gas', noGas);
        const isRetracted = await transmitter.retract(entry);
        watch.wake();
        return { outcome: isRetracted ? 'refused' : 'unknown', detail: answer.detail };
      }
      return await entry.relayed;
    } catch (error) {
      const isInDoubt = error instanceof KeptInDoubtError;
      if (isInDoubt && !closing.signal.aborted) lookAgain();
      return { outcome: isInDoubt ? 'unknown' : 'refused', detail: describeFault(error) };
    } finally {
      calls -= 1;
    }
  }

  /** Takes the next nonce for a call, signs and keeps it. */
  async function launch(call: RelayedCall): Promise<InFlight> {
    for (;;) {
      if (nowMs() > call.notAfterMs || closing.signal.aborted)
        throw new Error('Too many payments wait for the chain, or the service is stopping');
      if (book.size < maxInFlight || book.gaps().length > 0) break;
      // The end of a transaction makes room, and so does a free nonce.
      await Promise.race([pause(1_000, closing.signal), ...book.list().map(({ relayed }) => relayed)]);
    }
    if (!upkeep.isRestored) await upkeep.restore();
    const entry = await transmitter.prepare(call, book.next());
    add(entry);
    return entry;
  }

  /** What is in flight has so long to move, and what a former process has left so long to be found. */
  function tellWhetherStuck(isNew = false): void {
    tellStuck(book.size === 0 && upkeep.isRestored, isNew);
  }

  function looked(): void {
    watch.wake();
    if (upkeep.isRestored && book.size === 0) tellWhetherStuck();
  }

  /** What may be in the store may be sent by others: nothing is to be sold behind it unseen. */
  function lookAgain(): void {
    upkeep.isRestored = false;
    if (book.size === 0) tellWhetherStuck();
    void restoreAtLast(upkeep, inTurn, ports, warn);
  }

  function add(entry: InFlight): void {
    book.add(entry);
    watch.wake();
  }

  const watch = openWatch({
    ...ports,
    book,
    transmitter,
    conclude: book.conclude,
    displaced(entry, blockNumber) {
      warn('settlement displaced: no other program may use the key of the relayer');
      options.tally.displace(entry.carries.length, options.now());
      book.displace(entry, blockNumber);
    },
    mend: () => inTurn(upkeep.mend).finally(() => watch.wake()),
    goBack: upkeep.goBack,
  });
  const follower = createFollower({
    ...ports,
    transmitter,
    own: { address, book, add, restore: () => inTurn(upkeep.restore) },
  });

  return {
    /** True while nothing is in flight or waits for its turn. */
    isIdle: () => calls === 0 && book.size === 0,
    send,
    follow: follower.follow,
    /** Sends again what an earlier process kept and the chain does not have, so that nothing waits behind it. */
    start: lookAgain,
    /** Ends timers. What is in flight stays so: the next process finds it in the store. */
    async close() {
      closing.abort();
      await Promise.all([inTurn(async () => undefined), watch.ended(), follower.ended()]);
      for (const entry of book.list()) entry.finish({ outcome: 'unknown', detail: 'the service is stopping' });
      problems.tell('relayer.nonce', undefined);
    },
  };
}

/** However long node and store are away: what waits from before must be seen before anything is sold. */
async function restoreAtLast(
  upkeep: NonceUpkeep,
  inTurn: Line,
  { pause, closing }: { readonly pause: Pause; readonly closing: AbortSignal },
  warn: (message: string) => void,
): Promise<void> {
  while (!upkeep.isRestored && !closing.aborted)
    await inTurn(upkeep.restore).catch((error: unknown) => {
      warn(`What was left in flight is not sent yet: ${describeFault(error)}`);
      return pause(restoreAgainMs, closing);
    });
}

function createStuckTeller(
  { problems, nowMs }: Pick<RelayerOptions, 'problems' | 'nowMs'>,
  oldest: () => InFlight | undefined,
) {
  let fromMs: number | undefined;
  return (isClear: boolean, isNew: boolean): void => {
    const why = 'A transaction of the relayer has waited half a minute to be mined.';
    const describe = () => {
      const stuck = oldest();
      return stuck === undefined ? why : describeStuck(stuck);
    };
    // What is found has waited since it was looked for.
    if (!isNew || fromMs === undefined) fromMs = nowMs() + stuckAfterMs;
    problems.tell('relayer.nonce', isClear ? undefined : why, { fromMs, describe });
    if (isClear) fromMs = undefined;
  };
}

type Line = <T>(work: () => Promise<T>) => Promise<T>;

/** Nonces are taken by one after the other. */
function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Warns of the key once a minute, however often it happens. */
function createWarning({ log, nowMs }: Pick<RelayerOptions, 'log' | 'nowMs'>, relayer: Hex): (message: string) => void {
  let warnedAtMs = -Infinity;
  return (message) => {
    if (nowMs() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = nowMs();
    log.warn({ relayer }, message);
  };
}
