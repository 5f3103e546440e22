import type { Delivered, DeliveryKind, Source } from '../../src/sources/source.js';

const rowsPerPage = 5_000;

/**
 * A mock server for a large source that can tell its changes: it delivers `count` rows when it is read whole, and later
 * the first `changes` of them, changed.
 */
export function createGeneratedSource<K extends DeliveryKind>(options: {
  readonly delivers: K;
  readonly count: number;
  readonly changes: number;
  readonly make: (index: number, isChanged: boolean) => Delivered[K];
  readonly now: () => Date;
}): Source<K> {
  const { delivers, count, changes, make, now } = options;
  return {
    name: `bench-${delivers}`,
    kind: 'generated',
    delivers,
    licence: { class: 'licensed', mayStore: true, mayResell: true, attribution: 'Generated for a measurement' },
    async fetchPage(cursor, watermark) {
      const total = watermark === undefined ? count : changes;
      const start = Number(cursor ?? 0);
      const end = Math.min(start + rowsPerPage, total);
      const isLast = end === total;
      const rows = Array.from({ length: end - start }, (_, offset) => {
        const index = start + offset;
        return { key: `k${index}`, payload: { index, isChanged: watermark !== undefined } };
      });
      return {
        rows,
        nextCursor: isLast ? undefined : String(end),
        fetchedAt: now(),
        sourceUrl: 'https://generated.example.com/',
        ...(isLast ? { watermark: `w${now().getTime()}`, removedKeys: [] } : {}),
      };
    },
    parse({ payload }) {
      const { index, isChanged } = payload as { index: number; isChanged: boolean };
      return make(index, isChanged);
    },
  };
}
