import type { Knex } from 'knex';

export type SuppressionKind = 'address' | 'parcel' | 'number';

/** One keyed one-way hash of something that must not be shown. */
export interface StoredSuppression {
  readonly hash: Buffer;
  readonly kind: SuppressionKind;
  /** A hash of a constant under the same key: tells a list that was written under another key. */
  readonly keyCheck: Buffer;
  readonly reason: string;
}

export type SuppressionStore = ReturnType<typeof createSuppressionStore>;

const rowsPerStatement = 1_000;

/** Takes down what is published at some places, in the transaction in which `insert` puts them on the list. */
export type TakeDown = (insert: (transaction: Knex) => Promise<void>, placeKeys: readonly string[]) => Promise<void>;

/** Keeps the suppression list. No address and no parcel stands in it. Default of `takeDown`: nothing is published. */
export function createSuppressionStore(knex: Knex, takeDown: TakeDown = (insert) => insert(knex)) {
  return {
    /** Adds hashes; existing ones stay unchanged. `placeKeys`: where records of these properties are published. */
    async add(suppressions: readonly StoredSuppression[], placeKeys: readonly string[] = []): Promise<void> {
      const rows = suppressions.map(({ hash, kind, keyCheck, reason }) => {
        return { hash, kind, key_check: keyCheck, reason };
      });
      await takeDown(async (transaction) => {
        for (let start = 0; start < rows.length; start += rowsPerStatement)
          await transaction('suppressions')
            .insert(rows.slice(start, start + rowsPerStatement))
            .onConflict('hash')
            .ignore();
      }, placeKeys);
    },
    /** The number of hashes and the time of the latest: enough to know whether to load them again. */
    async readState(): Promise<{ readonly count: number; readonly latest: Date | undefined }> {
      const { rows } = await knex.raw<{ rows: { count: string; latest: Date | null }[] }>(
        'select count(*) as count, max(created_at) as latest from suppressions',
      );
      return { count: Number(rows[0]?.count ?? 0), latest: rows[0]?.latest ?? undefined };
    },
    async readAll(): Promise<StoredSuppression[]> {
      const rows = await knex<SuppressionRow>('suppressions').select('*');
      return rows.map(({ hash, kind, key_check: keyCheck, reason }) => ({ hash, kind, keyCheck, reason }));
    },
  };
}

interface SuppressionRow {
  readonly hash: Buffer;
  readonly kind: SuppressionKind;
  readonly key_check: Buffer;
  readonly reason: string;
}
