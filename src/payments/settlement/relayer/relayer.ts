import type { Hex } from '../../chain/eip3009.js';
import type { Log } from '../../../log.js';
import type { RelayerStore } from './relayer-store.js';
import { noGas, type TellProblem } from '../settlement-problems.js';
import { describeFault } from '../describe-fault.js';
import { describeStuck, stuckAfterMs } from './describe-stuck.js';
import { createNonceBook, type InFlight, type TransactionOutcome } from './nonce-book.js';
import { createNonceUpkeep, type NonceUpkeep } from './nonce-upkeep.js';
import { createNonceWatch } from './nonce-watch.js';
import { createFollower } from './follow-kept.js';
import { pauseByTimer, type Pause } from '../pause.js';
import type { RelayerTally } from './relayer-tally.js';
import type { SyncSupport } from './submit-transaction.js';
import { KeptInDoubtError, createTransmitter, type ClaimedCall, type TransmitterPorts } from './transmitter.js';

/*
 * A sale, from its claim to the wire and back:
 *
 *   payment-machine.ts charge                     claims the payment
 *     leased-settler.ts settle                    passes on to the settler of the leased key
 *       settle-transfer.ts settleTransfer         sends up to three times; only the token's logs prove the outcome
 *         settlement-window.ts send               gathers payments into one transaction
 *           relayer.ts send                       takes a nonce in turn, then awaits the outcome
 *             transmitter.ts prepare              signs, then keeps the transaction in the store
 *             transmitter.ts transmit             submit-transaction.ts: the same bytes, up to three times
 *   nonce-watch.ts, meanwhile                     polls the chain, resends or replaces
 *     nonce-book.ts conclude, displace            resolve the outcome that `send` awaits
 */

/** A call to send. */
export interface RelayedCall extends ClaimedCall {
  /** A call whose turn comes later is refused: while the chain stands still, the queue grows. */
  readonly notAfterMs: number;
}

export interface RelayerOptions extends Omit<TransmitterPorts, 'pause' | 'closing'> {
  readonly pause?: Pause;
  /** Opens the watch of the sent transactions. */
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

/** The only user of a key. */
export type Relayer = ReturnType<typeof createRelayer>;

/**
 * Creates the relayer of a key. It counts the nonces itself and has many transactions in flight. Each is kept in the
 * store before it is sent, then resent, replaced with higher fees, or given up for a transfer of nothing until its
 * nonce is used. No other program may use the key: it would take nonces, which the relayer notices and warns of.
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
   * Signs, keeps and sends, in the order of the calls, without waiting for earlier ones to be mined. Resolves when the
   * call's nonce is used and has enough confirmations, when it surely never will be, or at `close`. Never rejects.
   */
  async function send(call: RelayedCall): Promise<TransactionOutcome> {
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

  /** Transactions in flight have half a minute to be mined, and those of an earlier process to be found. */
  function tellWhetherStuck(isNew = false): void {
    tellStuck(book.size === 0 && upkeep.isRestored, isNew);
  }

  function looked(): void {
    watch.wake();
    if (upkeep.isRestored && book.size === 0) tellWhetherStuck();
  }

  /** A transaction that may be in the store may be sent by others: it must be found before another sale. */
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
    onConfirmed: book.conclude,
    onDisplaced(entry, blockNumber) {
      warn('settlement displaced: no other program may use the key of the relayer');
      options.tally.displace(entry.carries.length, options.now());
      book.displace(entry, blockNumber);
    },
    repairNonces: () => inTurn(upkeep.repairNonces).finally(() => watch.wake()),
    onReorg: upkeep.onReorg,
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
    /** Resends the kept transactions of an earlier process that the chain lacks, so that nothing waits behind them. */
    start: lookAgain,
    /** Ends timers. Transactions in flight stay so: the next process finds them in the store. */
    async close() {
      closing.abort();
      await Promise.all([inTurn(async () => undefined), watch.ended(), follower.ended()]);
      for (const entry of book.list()) entry.finish({ outcome: 'unknown', detail: 'the service is stopping' });
      problems.tell('relayer.nonce', undefined);
    },
  };
}

/** Retries until node and store answer: earlier transactions must be found before anything is sold. */
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
    // An earlier transaction has waited since the search for it began.
    if (!isNew || fromMs === undefined) fromMs = nowMs() + stuckAfterMs;
    problems.tell('relayer.nonce', isClear ? undefined : why, { fromMs, describe });
    if (isClear) fromMs = undefined;
  };
}

type Line = <T>(work: () => Promise<T>) => Promise<T>;

/** Nonces are taken one after the other. */
function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Warns about the key once a minute at most. */
function createWarning({ log, nowMs }: Pick<RelayerOptions, 'log' | 'nowMs'>, relayer: Hex): (message: string) => void {
  let warnedAtMs = -Infinity;
  return (message) => {
    if (nowMs() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = nowMs();
    log.warn({ relayer }, message);
  };
}
