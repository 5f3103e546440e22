/** Numbers and short texts for the history, shown to operators: no secrets, no personal data. */
export type JobFigures = Record<string, number | string>;

/** The context of one run of a job. */
export interface JobContext {
  /** The scheduled time of this run, not the time it actually starts. */
  readonly slot: Date;
  readonly now: () => Date;
  /** Aborts when the process is stopping or another instance took over the slot. */
  readonly signal: AbortSignal;
  /**
   * Records the progress of the run. Costs nothing: the next lease renewal saves it. Throws once `signal` is aborted,
   * so call it at every point where the run may stop.
   */
  onProgress(progress: JobFigures): void;
}

/** A scheduled job. It may be interrupted at any point and run again for the same slot. */
export interface Job {
  readonly name: string;
  run(context: JobContext): Promise<JobFigures>;
  /** False when this instance cannot run a slot but another may. Default: true. */
  canRun?(slot: Date): Promise<boolean>;
  /** False when there is nothing to do: the slot passes without a trace. Default: true. */
  isNeeded?(): Promise<boolean>;
}
