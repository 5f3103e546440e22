import type { LedgerQuestion, Order } from './messages.js';

/** Figures and short texts; nothing that must not be read by an operator. */
export type Figures = Readonly<Record<string, number | string>>;

/** How one job stands. */
export interface JobLine {
  readonly job: string;
  readonly state: 'never run' | 'running' | 'succeeded' | 'failed';
  /** The moment that the latest run stood for, ISO 8601 UTC: of the timetable, or of the command. */
  readonly lastSlot: string | null;
  /** When the clock runs it next, ISO 8601 UTC. */
  readonly next: string;
  /** What went wrong, in one line. */
  readonly error: string | null;
}

/**
 * What an operator can ask of the jobs, of the sources and of the ledger: in this process, or through the control
 * socket of the one that holds the data.
 */
export interface OperatorCommands {
  /** Every job, in the order of the timetable. */
  listJobs(): Promise<readonly JobLine[]>;
  /**
   * Runs a job now and resolves to its figures. Throws an OperatorError when there is no such job, when it cannot run
   * beside what runs, or when it failed; a failed run is not tried again.
   */
  runJob(job: string, onProgress: (figures: Figures) => void): Promise<Figures>;
  /**
   * Does what is ordered, beside no job that it must not run beside, and resolves to its figures. A suppression is
   * recorded whatever runs; where its publication has to wait, or fails, that is told. Throws an OperatorError when it
   * cannot be done.
   */
  runOrder(order: Order, onProgress: (figures: Figures) => void): Promise<Figures>;
  /** Every source and how it stands, as rows of text, the names of the columns first. */
  listSources(): Promise<readonly (readonly string[])[]>;
  /**
   * Answers with rows of text as they come, the names of the columns first, and resolves to what is to be said beside
   * them, in sentences. Throws an OperatorError when the question cannot be answered.
   */
  askLedger(
    question: LedgerQuestion,
    onRows: (rows: readonly (readonly string[])[]) => void | Promise<void>,
  ): Promise<readonly string[]>;
}
