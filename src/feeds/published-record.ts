import { createHash } from 'node:crypto';
import { concatBytes, type Rendered } from '../contract/rendered.js';

/** The views of a record by name, as types of the contract. `basic` has fewer fields; not every feed has it. */
export interface RecordViews {
  readonly full: unknown;
  readonly basic?: unknown;
}

/** The proven bytes of a record in each of its views. */
export type RenderedViews<Views extends RecordViews> = { readonly [View in keyof Views]: Rendered<Views[View]> };

/** A record as it is published: what its feed reads of it, and its bytes. */
export type PublishedRecord<Columns, Views extends RecordViews = RecordViews> = Columns & {
  readonly views: RenderedViews<Views>;
};

/** A record as it is held in memory: with its bytes, or without where they stay in the database. */
export type HeldRecord<Columns, Views extends RecordViews = RecordViews> = Columns & {
  readonly views?: RenderedViews<Views>;
};

/** JSON texts of a record by view. */
export interface StoredBodies {
  readonly full: string;
  readonly basic: string | undefined;
}

/** A published record as the database has it: not proven yet in this process. */
export type StoredRecord<Columns> =
  | { readonly retired: true; readonly id: string }
  | { readonly retired: false; readonly id: string; readonly columns: Columns; readonly bodies: StoredBodies };

/** A record on its way into the database. */
export interface RecordToStore {
  readonly id: string;
  /** JSON text of the columns. */
  readonly columns: string;
  readonly bodies: StoredBodies;
  /** By which a republication finds out that nothing changed; base64. */
  readonly hash: string;
}

/** A published record as it is stored. */
export function toStored({ views, ...columns }: PublishedRecord<{ readonly id: string }>): RecordToStore {
  const full = textOf(views.full);
  const basic = views.basic === undefined ? undefined : textOf(views.basic);
  const text = JSON.stringify(columns);
  const hash = createHash('sha256')
    .update(full)
    .update(basic ?? '')
    .update(text)
    .digest('base64');
  return { id: columns.id, columns: text, bodies: { full, basic }, hash };
}

function textOf(view: Rendered<unknown>): string {
  return Buffer.from(concatBytes(view)).toString('utf8');
}
