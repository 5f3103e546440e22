import type { Database } from '../../db/database.js';
import type { Log } from '../../log.js';
import { readBooks } from '../../payments/audit/books-reader.js';
import type { Payments } from '../../payments/open-payments.js';
import { pauseByTimer, type Pause } from '../../payments/settlement/pause.js';
import { problemIds, type SettlementProblems } from '../../payments/settlement/settlement-problems.js';
import type { Check, CheckPorts, Timetable } from './check.js';
import { checks as all } from './checks.js';
import { countUnknownNonces, readContent } from './database-reader.js';
import { keptFor } from '../../db/kept-for.js';
import { lookOnce, type Looked } from './look-at-all.js';
import { facilitatorOf } from './open-check-ports.js';

/** Looks with the live checks while the service runs. */
export type Watch = ReturnType<typeof createWatch>;

export interface WatchOverrides {
  /** Waits for the next look; by default by a timer. */
  readonly pause?: Pause;
  /** Whose jobs are looked at; by default none. */
  readonly timetable?: Timetable;
}

interface WatchOptions extends WatchOverrides {
  readonly checks?: readonly Check[];
  readonly log: Pick<Log, 'info' | 'warn'>;
}

interface Watched extends WatchOptions, Pick<CheckPorts, 'config' | 'now'> {
  readonly database: Pick<Database, 'knex' | 'freeBytes'>;
  readonly selling: Pick<Payments, 'terms' | 'client' | 'relayer' | 'problems' | 'heartbeat' | 'tally'>;
  readonly server: Required<Pick<CheckPorts, 'findUntrustedProxy'>>;
}

const everyMs = 5_000;
const slowEvery = 12;
/** Several checks of one look read it; while one finds something, it is not read anew for each look. */
const contentMs = 50_000;
/** Whole tables are compared for them. */
const booksMs = 600_000;

/** Opens the watch of a running service. Whether the database answers is left to the heartbeat. */
export function openWatch({ config, now, selling, database, server, timetable = [], ...options }: Watched): Watch {
  const { client, terms, relayer, problems } = selling;
  const jobs = timetable.map(({ job }) => job);
  const readBooksNow = keptFor(booksMs, () => readBooks(database.knex, now()));
  const ports: CheckPorts = {
    ...{ config, now, findings: [] },
    get chain() {
      return client && { ...terms, client, relayers: [relayer() ?? []].flat() };
    },
    askFacilitator: facilitatorOf(config, now),
    clockFault: () => selling.heartbeat.clockFault(),
    readFacts: () => Promise.reject(new Error('the heartbeat asks the database')),
    readContent: keptFor(contentMs, () => readContent(database.knex, jobs, readBooksNow)),
    countUnknownNonces: (relayer, used) => countUnknownNonces(database.knex, terms.network.id, relayer, used),
    freeBytes: database.freeBytes?.bind(database),
    displacedAt: () => selling.tally.displacedAt,
    findUntrustedProxy: server.findUntrustedProxy,
    timetable,
  };
  return createWatch(ports, problems, options);
}

/**
 * Looks each five seconds with the live checks, at what rarely changes each minute, and tells what keeps the service
 * from selling. What may be a bad moment is looked at again at once; a check that could not look changes nothing.
 */
export function createWatch(
  ports: CheckPorts,
  problems: SettlementProblems,
  { log, checks = all, pause = pauseByTimer }: WatchOptions,
) {
  const live = checks.filter(({ at }) => at.includes('live'));
  /** How each check went last; that it could not look does not replace what it has seen. */
  const lasts = new Map<string, Looked>();
  const gravityOf = (id: string) => {
    const last = lasts.get(id);
    return last?.state === 'finding' ? last.severity : undefined;
  };
  const closing = new AbortController();
  let looks = 0;
  let looking: Promise<unknown> | undefined;

  async function lookAt(check: Check): Promise<void> {
    const { id, finds } = check;
    const first = await lookOnce(check, ports);
    const looked = first.state === 'finding' && first.finding.isDoubt ? await lookOnce(check, ports) : first;
    if (closing.signal.aborted || (looked.state === 'skipped' && lasts.has(id))) return;
    const before = gravityOf(id);
    lasts.set(id, looked);
    if (looked.state === 'skipped') return;
    const found = looked.state === 'finding' ? looked : undefined;
    const problem = problemIds.find((each) => each === id);
    const stops = found !== undefined && found.severity !== 'warn';
    if (problem !== undefined) problems.tell(problem, stops ? (found.finding.why ?? finds) : undefined);
    if (before === found?.severity) return;
    if (found === undefined) return log.info({ check: id }, 'all is well again');
    const { sentence, cure, figures } = found.finding;
    log.warn({ check: id, ...figures }, `${sentence} ${cure}`);
  }

  /** Looks now, or resolves with the look that runs. Never rejects. */
  async function look(): Promise<void> {
    const due = live.filter(({ id, isSlow }) => !isSlow || looks % slowEvery === 0 || gravityOf(id) !== undefined);
    looking ??= Promise.all(due.map(lookAt)).finally(() => {
      looking = undefined;
      looks += 1;
    });
    await looking;
  }

  async function goOn(): Promise<void> {
    while (!closing.signal.aborted) {
      // A look that was long in coming is followed by the next at once.
      await Promise.all([look(), pause(everyMs, closing.signal)]);
    }
  }

  const cureOf = (told: string) => checks.find(({ id }) => id === told)?.cure ?? '';
  const list = () => problems.list().map(({ id, why }) => ({ id, why, cure: cureOf(id) }));

  return {
    look,
    /** Goes on looking. Resolves when it has looked once. */
    async start() {
      void goOn();
      await look();
    },
    /** The checks that find that nothing can be sold now, in words for everybody. Asks nobody. */
    list,
    /** How each live check went last, and what else keeps the service from selling, as a finding. Asks nobody. */
    looked(): readonly Looked[] {
      const told = problems.list().filter(({ id }) => gravityOf(id) === undefined);
      const findings = told.map(({ id, why, describe }) => {
        const finding = { sentence: describe(), cure: cureOf(id), why };
        return { id, severity: 'not_ready', ms: 0, state: 'finding', finding } as const;
      });
      return [...lasts.values()].filter(({ id }) => told.every((each) => each.id !== id)).concat(findings);
    },
    close: () => closing.abort(),
  };
}
