import type { LedgerQuestion, Order, RejectsQuestion } from './messages.js';

/** Numbers and short texts that any operator may read. */
export type Figures = Readonly<Record<string, number | string>>;

/** The state of one job. */
export interface JobLine {
  readonly job: string;
  readonly state: 'never run' | 'running' | 'succeeded' | 'failed';
  /** The slot of the latest run, ISO 8601 UTC: from the timetable, or the moment of the command. */
  readonly lastSlot: string | null;
  /** The next scheduled run, ISO 8601 UTC. */
  readonly next: string;
  /** The error, in one line. */
  readonly error: string | null;
}

/**
 * The operator's commands for jobs, sources and ledger: in this process, or through the control socket of the server
 * that holds the data.
 */
export interface OperatorCommands {
  /** Every job, in the order of the timetable. */
  listJobs(): Promise<readonly JobLine[]>;
  /**
   * Runs a job now and resolves to its figures. A failed run is not repeated. `waits`: for a conflicting job that runs;
   * the progress `waitsFor` names it.
   * @throws OperatorError when the job is unknown, conflicts with a running job, or fails
   */
  runJob(job: string, onProgress: (figures: Figures) => void, waits?: boolean): Promise<Figures>;
  /**
   * Runs an order, never beside a conflicting job, and resolves to its figures. A suppression is always recorded at
   * once; the figures report a publication that must wait or fails. `waits`: as of a job, for the other orders.
   * @throws OperatorError when the order fails
   */
  runOrder(order: Order, onProgress: (figures: Figures) => void, waits?: boolean): Promise<Figures>;
  /** The state of every source as rows of text, column names first. */
  listSources(): Promise<readonly (readonly string[])[]>;
  /**
   * What the last reading of a source refused or did not understand, as rows of text, column names first.
   * @throws OperatorError when the source is unknown
   */
  listRejects(question: RejectsQuestion): Promise<readonly (readonly string[])[]>;
  /**
   * Streams the answer as rows of text, column names first, and resolves to additional notes in sentences.
   * @throws OperatorError when the question cannot be answered
   */
  askLedger(
    question: LedgerQuestion,
    onRows: (rows: readonly (readonly string[])[]) => void | Promise<void>,
  ): Promise<readonly string[]>;
}
