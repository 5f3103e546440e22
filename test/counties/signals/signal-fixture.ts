import type { Database } from '../../../src/db/database.js';
import type { ObservedParcel } from '../../../src/counties/parcels/observed-parcel.js';
import { createSignalReader } from '../../../src/counties/signals/signal-reader.js';
import type { ObservedSignal, Signal } from '../../../src/counties/signals/signal.js';
import type { IngestReport } from '../../../src/sources/ingest/ingest-run.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import type { Licence, RowReject } from '../../../src/sources/source.js';
import { openSuppression } from '../../policy/suppression.js';
import { createScriptedDelivery } from '../../sources/ingest/scripted-delivery.js';
import { clock, ingestOptions } from '../../sources/ingest/scripted-source.js';

export interface SignalScript {
  readonly name?: string;
  readonly licence?: Licence;
  readonly etag?: string;
  readonly acceptShrink?: boolean;
  /** Fails after its rows. */
  readonly isBroken?: boolean;
}

export interface RollScript {
  readonly name?: string;
  /** Default true. */
  readonly acceptShrink?: boolean;
  /** Fails after its rows. */
  readonly isBroken?: boolean;
  /** Delivers only later changes. */
  readonly since?: string;
}

/** Reads signals and rolls, and returns the offered signals. */
export function openSignalFixture(database: Database) {
  const reader = () =>
    createSignalReader({ knex: database.knex, suppression: openSuppression(database.knex), now: () => clock.now });
  const readAll = async (): Promise<Signal[]> => {
    const signals: Signal[] = [];
    for await (const chunk of reader().readOffered()) signals.push(...chunk);
    return signals;
  };
  return {
    reader,
    readAll,
    ingest(rows: readonly (ObservedSignal | RowReject)[], script: SignalScript = {}): Promise<IngestReport> {
      const { acceptShrink = false, isBroken = false, etag, ...rest } = script;
      const source = createScriptedDelivery('signals', rest);
      source.deliver({ pages: isBroken ? [rows, []] : [rows], ...(etag === undefined ? {} : { etag }) });
      source.onFetch = failAtSecond;
      return ingestSource(source, { ...ingestOptions(database.knex), acceptShrink });
    },
    readRoll(rows: readonly ObservedParcel[], script: RollScript = {}): Promise<IngestReport> {
      const { name = 'roll', isBroken = false, acceptShrink = true, since } = script;
      const source = createScriptedDelivery('parcels', { name });
      source.deliver({ pages: isBroken ? [rows, []] : [rows] });
      source.onFetch = failAtSecond;
      return ingestSource(source, {
        ...ingestOptions(database.knex),
        acceptShrink,
        ...(since !== undefined && { since }),
      });
    },
    /** The only offered signal. */
    async readOnly(): Promise<Signal> {
      const [signal, ...others] = await readAll();
      if (signal === undefined || others.length > 0) throw new Error(`${others.length + 1} signals are offered.`);
      return signal;
    },
    /** Every amount of a signal with its period, oldest first; the last is the current one. */
    async amountsOf({ id, sourceName, amount, lastSeenAt }: Signal) {
      const earlier = database.knex('signal_amounts').where({ id, source_name: sourceName }).orderBy('first_seen_at');
      const rows = (await earlier) as { amount: string; first_seen_at: Date; last_seen_at: Date }[];
      const current = database.knex('signals').where({ id, source_name: sourceName }).first('amount_since');
      const { amount_since: since } = (await current) as { amount_since: Date };
      return [...rows, { amount, first_seen_at: since, last_seen_at: lastSeenAt }].map((row) => ({
        amount: String(Number(row.amount)),
        firstSeenAt: row.first_seen_at,
        lastSeenAt: row.last_seen_at,
      }));
    },
    async readKey(key: string): Promise<Signal | undefined> {
      return (await readAll()).find(({ sourceKey }) => sourceKey === key);
    },
    async keys(): Promise<string[]> {
      return (await readAll()).map(({ sourceKey }) => sourceKey).sort();
    },
    /** Source keys of changed signals, `gone` for those no longer offered. */
    async changes(since: Date, suppressed: readonly string[] = []): Promise<string[]> {
      const found: string[] = [];
      for await (const chunk of reader().changedSince(since, suppressed))
        found.push(...chunk.map(({ signal }) => signal?.sourceKey ?? 'gone'));
      return found.sort();
    },
  };
}

async function failAtSecond(page: number): Promise<void> {
  if (page === 1) throw new Error('broken');
}

/** Midnight UTC of the n-th day of the tests' clock. */
export function day(count: number): Date {
  return new Date(Date.parse('2026-11-01T00:00:00.000Z') + count * 24 * 3600 * 1000);
}
