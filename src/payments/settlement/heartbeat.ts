import { isUnwritable } from '../../db/outage.js';
import type { Log } from '../../log.js';
import type { Hex } from '../chain/eip3009.js';
import { describeFault } from './describe-fault.js';
import type { BeatAnswer, HeartbeatStore, RelayerKey } from './heartbeat-store.js';
import type { RestoredLedger } from './restored-ledger.js';
import type { TellProblem } from './settlement-problems.js';

export interface HeartbeatPorts {
  readonly store: HeartbeatStore;
  /** The addresses of the relayer keys, the preferred one first. */
  readonly relayers: readonly Hex[];
  /** The chain's nonce count of an address. Rejects when the node does not answer. */
  readonly countNonces: (relayer: Hex) => Promise<number>;
  /** One more than the highest stored nonce of a relayer, as this process knows it. */
  readonly nextNonce: (relayer: Hex) => number;
  readonly ledger: RestoredLedger;
  /** True if no other process can open the database: once the ledger lacks nothing, only readiness is written. */
  readonly isAlone: boolean;
  /** From now on settles with this key, or with none. */
  readonly use: (relayer: Hex | undefined) => Promise<void>;
  readonly problems: TellProblem;
  readonly isReady: () => boolean;
  /** The wall clock of this machine. */
  readonly clock: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** Writes that this process runs, and acts on the database's answer. */
export type Heartbeat = ReturnType<typeof createHeartbeat>;

const everyMs = 5_000;
/** The time without an answer after which the database counts as unreachable. */
const silentMs = 12_000;
const [warnSeconds, wrongSeconds] = [5, 30];

/**
 * Beats every five seconds by one statement. Its answer shows whether the database is writable, who holds the relayer
 * keys, whether the clocks agree, and whether the database was restored to an older state. The key is used while the
 * ledger is known to be complete.
 */
export function createHeartbeat(ports: HeartbeatPorts) {
  const { store, relayers, ledger, isAlone, problems, elapsedMs, log } = ports;
  let [sent, sentMs, written] = [0, 0, 0];
  const next = createNextNonces();
  const room = createRoom(ports);
  let isDraining = false;
  let answer: BeatAnswer | undefined;
  let clockFault: ClockFault | undefined;
  /** The missing rows of a restored ledger are not written yet. */
  let isRebuilding = false;
  let told: string | undefined;
  /** The readiness in the database. */
  let wroteReady = false;
  let changing: Promise<void> = Promise.resolve();
  let beating: Promise<void> | undefined;

  expectAnswer(elapsedMs());
  tellProblems();

  /** From then on the database has 12 s to answer again: a later answer is old. */
  function expectAnswer(sinceMs: number): void {
    // An embedded one has a check of its own for writing.
    if (isAlone) return;
    if (!room.isLacking()) problems.tell('database.writable', undefined);
    problems.tell('database.reach', 'The database of this service does not answer.', { fromMs: sinceMs + silentMs });
  }

  async function write(): Promise<BeatAnswer> {
    const held = relayers.filter((relayer) => relayer === answer?.relayer);
    const counts = ledger.isKnown() ? undefined : await countAll(ports).catch(() => undefined);
    for (const relayer of relayers) next.know(relayer, ports.nextNonce(relayer));
    const [wanted, isReady, sentAt] = [isDraining ? held : relayers, ports.isReady(), ports.clock()];
    sentMs = elapsedMs();
    const answered = await store.beat({ beat: ++sent, written, isReady, isDraining, relayers: wanted });
    expectAnswer(sentMs);
    wroteReady = isReady;
    isRebuilding = answered.isRebuilding;
    clockFault = isAlone ? undefined : findClockFault(answered.at, sentAt, ports.clock());
    const lacksKept = ledger.isKnown() && answered.keys.some(next.isAbove);
    const isLower = (answered.found ?? 0) < written;
    if (isLower || lacksKept) ledger.wentBack();
    else if (counts && ledger.compare(counts, answered.keys)) {
      log.warn('ledger behind: what it lacks has landed; "ledger rebuild" writes it, by itself once it is final');
      for (const [relayer, count] of counts) next.know(relayer, count);
      await store.catchUp(next.all).catch((error: unknown) => {
        ledger.wentBack();
        throw error;
      });
      isRebuilding = true;
    }
    written = isLower ? (answered.found ?? 0) : sent;
    for (const { relayer, nextNonce } of answered.keys) next.know(relayer, nextNonce);
    return answered;
  }

  async function beatOnce(): Promise<void> {
    try {
      answer = await write();
      const isLate = elapsedMs() - sentMs >= everyMs;
      // Another instance was faster: the next key may be free. A late answer is old.
      if (isLate || (answer.relayer === undefined && answer.keys.some(({ holder }) => holder === null)))
        answer = await write();
      changing = ports.use(ledger.isKnown() ? answer.relayer : undefined);
      await room.lookAgain();
      expectAnswer(sentMs);
    } catch (error) {
      log.warn({ detail: describeFault(error) }, 'the heartbeat was not written');
      room.hearFailure(error);
    }
    const finding = tellProblems();
    if (finding !== undefined && finding !== told) log.warn(finding);
    told = finding;
    if (!ledger.rests() || isRebuilding) return;
    // For all processes: the sold leads are not known. The next beat tries again.
    await store.catchUp(new Map()).catch(() => undefined);
  }

  /** Resolves when the key that it brought is in use, which later beats do not wait for. Never rejects. */
  async function beat(): Promise<void> {
    beating ??= beatOnce().finally(() => (beating = undefined));
    await beating;
    await changing;
  }

  /** Reports the problems that the last answer shows. Returns the text for the log. */
  function tellProblems(): string | undefined {
    const isKeyless = relayers.length > 0 && answer?.relayer === undefined;
    const older = ledger.problem();
    const lacking = isRebuilding ? 'The ledger lacks what it does not have back yet.' : undefined;
    problems.tell('ledger.behind', older ?? lacking, { fromMs: older === undefined ? Infinity : -Infinity });
    return older ?? (isKeyless ? 'Every relayer key is in use.' : undefined);
  }

  let timer: NodeJS.Timeout | undefined;
  /** True if a beat can bring news. */
  const isDue = (): boolean => !isAlone || !ledger.isKnown() || isRebuilding || ports.isReady() !== wroteReady;

  return {
    beat,
    hearFailure: room.hearFailure,
    /** How far this clock was from the database's at the last beat. @throws Error where it is the same */
    clockFault(): ClockFault | undefined {
      if (isAlone) throw new Error('the database has no clock of its own');
      return clockFault;
    },
    /** Resolves when the first beat is answered, and the key that it brought is in use. Never rejects. */
    async start() {
      await beat();
      timer = setInterval(() => void (isDue() && beat()), everyMs).unref();
    },
    /** From now on takes no key that it does not hold. */
    drain: () => void (isDraining = true),
    /** Resolves when the last beat has ended. */
    async stop() {
      clearInterval(timer);
      await beating;
    },
  };
}

async function countAll({ relayers, countNonces }: HeartbeatPorts): Promise<ReadonlyMap<Hex, number>> {
  return new Map(await Promise.all(relayers.map(async (relayer) => [relayer, await countNonces(relayer)] as const)));
}

/** Whether what sales write finds room; on a full disk a beat may still find some in its page. */
function createRoom({ store, problems, isAlone }: Pick<HeartbeatPorts, 'store' | 'problems' | 'isAlone'>) {
  let isLacking = false;
  return {
    isLacking: () => isLacking,
    /** A statement of this process has failed. */
    hearFailure(error: unknown): void {
      if (isAlone || !isUnwritable(error)) return;
      isLacking = true;
      problems.tell('database.reach', undefined);
      problems.tell('database.writable', 'The database of this service cannot be written.');
    },
    /** @throws DatabaseError where there is still none */
    async lookAgain(): Promise<void> {
      if (isLacking) await store.tryRoom();
      isLacking = false;
    },
  };
}

/** One more than the highest nonce of each relayer that the database had or must have. */
function createNextNonces() {
  const all = new Map<Hex, number>();
  const of = (relayer: Hex): number => all.get(relayer) ?? 0;
  return {
    all,
    know: (relayer: Hex, nonce: number) => void all.set(relayer, Math.max(of(relayer), nonce)),
    isAbove: ({ relayer, nextNonce }: RelayerKey) => of(relayer) > nextNonce,
  };
}

export interface ClockFault {
  readonly sentence: string;
  readonly isAhead: boolean;
  /** Payments would be refused as expired. */
  readonly isWrong: boolean;
}

/**
 * How far this machine's clock is from another, and the consequences; undefined within the tolerance.
 *
 * @param at the other's time, read between two times of this machine
 */
export function findClockFault(at: Date, from: Date, to: Date, other = 'the database'): ClockFault | undefined {
  const aheadMs = Math.max(from.getTime() - at.getTime(), 0) - Math.max(at.getTime() - to.getTime(), 0);
  const seconds = Math.abs(Math.round(aheadMs / 1000));
  if (seconds < warnSeconds) return undefined;
  const isAhead = aheadMs > 0;
  const sentence =
    `The clock of this machine is ${seconds} seconds ${isAhead ? 'ahead of' : 'behind'} that of ${other}. ` +
    'Correct them: a server with a wrong clock refuses payments as expired or not valid yet, and treats jobs and ' +
    'payments of other instances as abandoned.';
  return { sentence, isAhead, isWrong: seconds >= wrongSeconds };
}
