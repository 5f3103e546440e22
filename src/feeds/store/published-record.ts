import { hash } from 'node:crypto';
import type { ProvenText, Prover } from '../../contract/prover.js';
import type { Rendered } from '../../contract/rendered.js';
import type { Log } from '../../log.js';

/** The views of a record by name, as types of the contract. `basic` has fewer fields; not every feed has it. */
export interface RecordViews {
  readonly full: unknown;
  readonly basic?: unknown;
}

/** The proven bytes of a record in each of its views. */
export type RenderedViews<Views extends RecordViews> = { readonly [View in keyof Views]: Rendered<Views[View]> };

/** A record as it is published. */
export interface PublishedRecord<Columns, Views extends RecordViews = RecordViews> {
  /** What its feed reads of it. */
  readonly columns: Columns;
  /** The keys of its place, under which it is found by its building and parcel; none where that is not offered. */
  readonly placeKeys: readonly string[];
  /** The proven JSON text of each view. */
  readonly views: { readonly [View in keyof Views]: ProvenText<Views[View]> };
}

/** JSON texts of a record by view. */
export interface StoredBodies {
  readonly full: StoredText;
  readonly basic: StoredText | undefined;
}

/** The JSON text of one view. */
export interface StoredText {
  readonly text: string;
  /** As its prover gave it; undefined where it never had one. */
  readonly seal?: string | undefined;
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
  readonly placeKeys: readonly string[];
  readonly bodies: StoredBodies;
  /** By which a republication finds out that neither the record nor the contract changed; base64. */
  readonly hash: string;
}

/** A published record as it is stored. */
export function toStored(
  { columns, placeKeys, views }: PublishedRecord<{ readonly id: string }>,
  provers: { readonly full: Sealing; readonly basic?: Sealing },
): RecordToStore {
  const full = { text: views.full, seal: provers.full.sealOf(views.full) };
  const basic = views.basic && { text: views.basic, seal: provers.basic?.sealOf(views.basic) };
  const text = JSON.stringify(columns);
  const hashed = full.seal + (basic?.seal ?? '') + text + placeKeys.join();
  const bodies = { full, basic };
  return { id: columns.id, columns: text, placeKeys, bodies, hash: hash('sha256', hashed, 'base64') };
}

type Sealing = Pick<Prover<unknown>, 'sealOf'>;

/** Undefined for a record that breaks the contract: it never stops the others. */
export function loadOrLeave<Loaded>(load: () => Loaded, id: string, log: Log): Loaded | undefined {
  try {
    return load();
  } catch (error) {
    log.error({ err: error, id }, 'a published record breaks the contract and is left out');
    return undefined;
  }
}
