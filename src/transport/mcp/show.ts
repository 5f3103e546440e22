import type { Summarize } from './summaries.js';

/** The displayed part of a value, and the omitted parts. */
export interface Shown {
  readonly data: unknown;
  /** True when records are reduced to their main columns. */
  readonly isShortened: boolean;
  /** Omitted or incomplete parts of the value. */
  readonly missing: readonly MissingPart[];
}

export interface MissingPart {
  /** JSON pointer (RFC 6901). */
  readonly part: string;
  /** In a list displayed in part: the first omitted row. */
  readonly from?: number;
  readonly why: 'left_out' | 'shortened' | 'continues';
}

export interface Frame {
  /** JSON pointer of the value in the whole reply. */
  readonly part: string;
  /** In a list: the first row to show. */
  readonly from: number;
  /** In a list: the most rows to show; undefined for as many as fit. */
  readonly rows?: number | undefined;
  /** The available bytes, as `sizeOf` counts them. */
  readonly room: number;
  readonly summarize: Summarize;
}

/** Bytes of a value in a tool result, which contains it twice: as JSON, and as a string of that JSON. */
export function sizeOf(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/**
 * Shows as much of a value as fits: the whole value, the first rows of a list, or the smallest members of an object.
 * Records in lists are reduced to their main columns before any row is omitted.
 */
export function show(value: unknown, frame: Frame): Shown {
  if (Array.isArray(value)) return showRows(value, frame);
  if (sizeOf(value) <= frame.room || typeof value !== 'object' || value === null) return whole(value);
  return showMembers(value, frame);
}

const whole = (data: unknown): Shown => ({ data, isShortened: false, missing: [] });

function showRows(all: readonly unknown[], { part, from, rows: most = all.length, room, summarize }: Frame): Shown {
  const rows = all.slice(from, from + most);
  const end = from + rows.length;
  if (sizeOf(rows) <= room)
    return { ...whole(rows), missing: end < all.length ? [{ part, from: end, why: 'continues' }] : [] };
  const shown: unknown[] = [];
  let isShortened = false;
  let left = room - sizeOf([]);
  for (const row of rows) {
    const summary = summarize(row);
    left -= sizeOf(summary ?? row) + separatorBytes;
    if (left < 0) break;
    isShortened ||= summary !== undefined;
    shown.push(summary ?? row);
  }
  const missing: MissingPart[] = [];
  const next = from + Math.max(shown.length, 1);
  // A row larger than any result is read separately, member by member.
  if (shown.length === 0) missing.push({ part: `${part}/${from}`, why: 'left_out' });
  if (isShortened) missing.push({ part: `${part}/${from}`, why: 'shortened' });
  if (next < all.length) missing.push({ part, from: next, why: 'continues' });
  return { data: shown, isShortened, missing };
}

/** Smallest members first, so that few are omitted. The largest gets the remaining room. */
function showMembers(value: object, frame: Frame): Shown {
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    return { name, member, size: sizeOf(member) };
  });
  const shown = new Map<string, unknown>();
  const missing: MissingPart[] = [];
  let isShortened = false;
  let left = frame.room - sizeOf({});
  for (const { name, member } of [...members].sort((a, b) => a.size - b.size)) {
    const part = `${frame.part}/${escapeName(name)}`;
    const nameBytes = sizeOf(name) + separatorBytes;
    const fitting = fitMember(member, { ...frame, part, from: 0, rows: undefined, room: left - nameBytes });
    if (fitting === undefined) {
      missing.push({ part, why: 'left_out' });
      continue;
    }
    left -= nameBytes + sizeOf(fitting.data);
    shown.set(name, fitting.data);
    missing.push(...fitting.missing);
    isShortened ||= fitting.isShortened;
  }
  const data = Object.fromEntries(members.flatMap(({ name }) => (shown.has(name) ? [[name, shown.get(name)]] : [])));
  return { data, isShortened, missing };
}

function fitMember(member: unknown, frame: Frame): Shown | undefined {
  if (sizeOf(member) <= frame.room) return whole(member);
  if (Array.isArray(member)) {
    const rows = showRows(member, frame);
    return (rows.data as unknown[]).length > 0 ? rows : undefined;
  }
  const summary = frame.summarize(member);
  if (summary === undefined || sizeOf(summary) > frame.room) return undefined;
  return { data: summary, isShortened: true, missing: [{ part: frame.part, why: 'shortened' }] };
}

/** A comma, and a colon after a name, in both forms. */
const separatorBytes = 4;

function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The value at a JSON pointer (RFC 6901); undefined when there is none. */
export function findPart(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let node = value;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  return node;
}
