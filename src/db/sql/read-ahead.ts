/**
 * Gives what an iterable gives, and asks for the next item while its reader still works on one: a database and this
 * process then work at the same time. A failure is thrown when its item is asked for. At most one item is held.
 */
export async function* readAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = iterator.next();
      // It is awaited in the next round; a reader that stops before never learns of it.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
