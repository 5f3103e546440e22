/** Asks again only when the last answer is so old, and once at a time. */
export function keptFor<Value>(ms: number, ask: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly atMs: number } | undefined;
  return () => {
    if (kept === undefined || performance.now() - kept.atMs > ms) {
      const asked = { value: ask(), atMs: performance.now() };
      kept = asked;
      asked.value.catch(() => (kept = kept === asked ? undefined : kept));
    }
    return kept.value;
  };
}
