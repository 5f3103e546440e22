/**
 * Yields the items of an iterable, requesting the next one while the reader still works on the current one, so that the
 * database and this process work in parallel. A failure is thrown when its item is requested. Holds at most one item.
 */
export async function* readAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = iterator.next();
      // Awaited in the next round; a reader that stops earlier never sees the error.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
