/** Runs one write while the next data is prepared. */
export interface WriteBehind {
  /**
   * Starts a write after the previous one is done.
   *
   * @throws the error of the previous write
   */
  begin(write: () => Promise<void>): Promise<void>;
  /**
   * Waits for the last write.
   *
   * @throws the error of that write
   */
  done(): Promise<void>;
  /** Waits for the last write, successful or not. */
  settle(): Promise<void>;
}

export function createWriteBehind(): WriteBehind {
  let writing: Promise<void> = Promise.resolve();
  const settle = () => writing.catch(() => undefined);
  return {
    async begin(write) {
      await writing;
      writing = write();
      void settle();
    },
    done: () => writing,
    settle,
  };
}
