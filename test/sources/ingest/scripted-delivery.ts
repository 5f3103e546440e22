import type { Delivered, DeliveryKind, Licence, PagedSource, RawRow, RowReject } from '../../../src/sources/source.js';
import { clock, licence } from './scripted-source.js';

/** A source's answers to one run: pages of rows, and their other members. */
export interface Delivery<K extends DeliveryKind> {
  readonly pages: readonly (readonly (Delivered[K] | RowReject)[])[];
  readonly removedKeys?: readonly string[];
  readonly watermark?: string;
  readonly etag?: string;
}

/** A source with consecutive deliveries set by a test, and the record of its requests. */
export interface ScriptedDelivery<K extends DeliveryKind> extends PagedSource<K> {
  deliver(delivery: Delivery<K>): void;
  /** The cursor and the watermark of every fetch. */
  readonly asked: { cursor: string | undefined; watermark: string | undefined }[];
  /** Awaited before a page is answered; throws to interrupt. */
  onFetch: (page: number) => Promise<void>;
}

export interface ScriptedDeliveryOptions {
  readonly name?: string;
  readonly licence?: Licence;
  /** The time of its pages. Default: the tests' clock, at the time that the last test has set. */
  readonly now?: () => Date;
}

/** A mock source of any kind. Removed keys and the watermark are on its last page. */
export function createScriptedDelivery<K extends DeliveryKind>(
  delivers: K,
  { name = 'county', licence: own = licence, now = () => clock.now }: ScriptedDeliveryOptions = {},
): ScriptedDelivery<K> {
  let current: Delivery<K> = { pages: [[]] };
  const rowsByPayload = new Map<string, Delivered[K]>();
  const source: ScriptedDelivery<K> = {
    name,
    kind: 'scripted',
    delivers,
    licence: own,
    asked: [],
    onFetch: async () => {},
    deliver: (delivery) => (current = delivery),
    async fetchPage(cursor, watermark) {
      source.asked.push({ cursor, watermark });
      const page = Number(cursor ?? 0);
      await source.onFetch(page);
      const { pages, removedKeys, watermark: next, etag } = current;
      const isLast = page + 1 >= pages.length;
      return {
        rows: (pages[page] ?? []).map((row) => toRaw(row, rowsByPayload)),
        nextCursor: isLast ? undefined : String(page + 1),
        fetchedAt: now(),
        ...(etag === undefined ? {} : { etag }),
        ...(isLast && removedKeys !== undefined ? { removedKeys } : {}),
        ...(isLast && next !== undefined ? { watermark: next } : {}),
        sourceUrl: 'https://county.example.com/',
      };
    },
    parse: (row) =>
      rowsByPayload.get(JSON.stringify(row.payload)) ?? { reject: 'row_unreadable', key: row.key, detail: 'unknown' },
  };
  return source;
}

function toRaw<T extends object>(row: T | RowReject, rowsByPayload: Map<string, T>): RawRow | RowReject {
  if ('reject' in row) return row;
  const payload = JSON.parse(JSON.stringify(row)) as unknown;
  rowsByPayload.set(JSON.stringify(payload), row);
  return { key: 'sourceKey' in row ? String(row.sourceKey) : JSON.stringify(payload), payload };
}
