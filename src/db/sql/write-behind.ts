/** Lets one write be under way while what comes next is prepared. */
export interface WriteBehind {
  /** Begins a write when the one before is done. @throws what that one failed with */
  begin(write: () => Promise<void>): Promise<void>;
  /** Waits for the last one. @throws what it failed with */
  done(): Promise<void>;
  /** Waits for the last one, whatever becomes of it. */
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
