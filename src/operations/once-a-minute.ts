const minuteMs = 60_000;

/** Caches a value for the rest of the full minute in which it was read. A failure is not cached. */
export function createOnceAMinute<T>(read: (at: Date) => Promise<T>, now: () => Date): () => Promise<T> {
  let last: { readonly minute: number; readonly value: Promise<T> } | undefined;
  return () => {
    const at = now();
    const minute = Math.floor(at.getTime() / minuteMs);
    if (last?.minute === minute) return last.value;
    const reading = { minute, value: read(at) };
    last = reading;
    reading.value.catch(() => {
      if (last === reading) last = undefined;
    });
    return reading.value;
  };
}
