import { hash } from 'node:crypto';
import type { Prover } from '../../contract/prover.js';
import type { Rendered } from '../../contract/rendered.js';
import type { Log } from '../../log.js';
import type { Identified } from '../query/identified.js';

/** The views of a record. Each feed has the full one; `basic` and `compact` have fewer fields. */
export const viewNames = ['full', 'basic', 'compact'] as const;
export type ViewName = (typeof viewNames)[number];

/** What each view is, as types of the contract. */
export type RecordViews = { readonly full: unknown } & { readonly [View in ViewName]?: unknown };

/** The proven bytes of a record in each of its views. */
export type RenderedViews<Views extends RecordViews> = { readonly [View in keyof Views]: Rendered<Views[View]> };

/** JSON texts of a record by view. */
export type StoredBodies = { readonly full: StoredText } & { readonly [View in ViewName]?: StoredText | undefined };

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
  /** JSON text of what its feed reads of it. */
  readonly columns: string;
  /** The keys under which it is found by its building and parcel; none where that is not offered. */
  readonly placeKeys: readonly string[];
  readonly bodies: StoredBodies;
  /** By which a republication finds out that neither the record nor the contract changed; base64. */
  readonly hash: string;
}

/** A record as it is stored: what its feed reads of it, the keys of its place, and its proven views. */
export function toStored(columns: Identified, placeKeys: readonly string[], bodies: StoredBodies): RecordToStore {
  const text = JSON.stringify(columns);
  const hashed = viewNames.map((view) => bodies[view]?.seal ?? '').join('') + text + placeKeys.join();
  return { id: columns.id, columns: text, placeKeys, bodies, hash: hash('sha256', hashed, 'base64') };
}

/** The proven JSON text of one view, sealed. @throws ContractBreach */
export function proveView<T>(prover: Prover<T>, value: T): StoredText {
  const text = prover.prove(value);
  return { text, seal: prover.sealOf(text) };
}

/** Undefined for a record that breaks the contract: it never stops the others. */
export function loadOrLeave<Loaded>(load: () => Loaded, id: string, log: Log): Loaded | undefined {
  try {
    return load();
  } catch (error) {
    log.error({ err: error, id }, 'a published record breaks the contract and is left out');
    return undefined;
  }
}
