/** Figures and short texts for the history; nothing that must not be read by an operator. */
export type JobFigures = Record<string, number | string>;

/** What a job is given for one run. */
export interface JobContext {
  /** The moment of the timetable this run stands for, not the moment it happens to start. */
  readonly slot: Date;
  readonly now: () => Date;
  /** Aborts when the process wants to stop or when another instance took the slot over. */
  readonly signal: AbortSignal;
  /**
   * Notes how far the run is. Costs nothing: it is written with the next renewal of the lease. Throws once `signal` is
   * aborted, so call it wherever the run may end.
   */
  report(progress: JobFigures): void;
}

/** Work that the timetable asks for. It may be cut off at any point and run again for the same slot. */
export interface Job {
  readonly name: string;
  run(context: JobContext): Promise<JobFigures>;
  /** False where this instance cannot do it for a slot, and another may. Default: it can. */
  canRun?(slot: Date): Promise<boolean>;
}
