const minuteMs = 60_000;

/**
 * Creates what reads at most once in each full minute, however many ask. A reading that failed is tried again at once.
 */
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
