import type { CallToolResult } from '@modelcontextprotocol/server';
import type { OperationReply } from '../../operations/operation.js';
import { findPart, memberOf } from './find-part.js';
import { paymentResponseKey, settlementIn } from './payment-meta.js';
import type { Summaries } from './summaries.js';

/** The part of a reply to show. */
export interface View {
  /** JSON pointer into the reply; the value there is shown as it is. Empty for the summary of the reply. */
  readonly part: string;
  /** The first row of a list to show. */
  readonly from: number;
  /** The most rows of a list to show; undefined for as many as fit. */
  readonly rows: number | undefined;
  /** Shown as it is, without a part. */
  readonly isWhole: boolean;
  /** The token of this page of a bought list; undefined for the first page. */
  readonly page: unknown;
}

/** The payer's free access to the rest of a reply; the wire calls it `receipt`. */
export interface ReplyAccess {
  readonly price: string;
  readonly payment_id: string;
  readonly token: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Larger results are cut off by clients and overwhelm models. */
export const maxResultBytes = 25_000;
/** The protocol's envelope around a result. */
const envelopeBytes = 600;

/**
 * The tool result of a reply, once, as text: a list as a table, a record as its summary, a part as it is; as much of
 * it as fits. The settlement goes into `_meta`. Undefined when the reply has no such part.
 */
export function replyResult(
  value: unknown,
  view: View,
  reply: OperationReply,
  summaries: Summaries,
  receipt?: ReplyAccess,
): CallToolResult | undefined {
  const settlement = settlementIn(reply.headers['PAYMENT-RESPONSE']);
  const _meta = settlement && { [paymentResponseKey]: settlement };
  const room = maxResultBytes - envelopeBytes - Buffer.byteLength(JSON.stringify([_meta, receipt]));
  const shown = view.part === '' ? showReply(value, view, reply, summaries, room) : showPart(value, view, room);
  if (shown === undefined) return undefined;
  const rest = receipt && !('columns' in shown) && restOf(value, shown);
  const told = { ...shown, ...(rest && rest.length > 0 && { rest }), ...(receipt && { receipt }) };
  return { content: [{ type: 'text', text: JSON.stringify(told) }], ...(_meta && { _meta }) };
}

function showReply(value: unknown, view: View, { headers }: OperationReply, summaries: Summaries, room: number) {
  const { from, rows: most, isWhole, page } = view;
  const list = isWhole ? undefined : findList(value, summaries);
  if (list === undefined) {
    if (from > 0) return undefined;
    const whole = (isWhole ? value : summaries.summarize(value)) as Members;
    return fitMembers(whole, '', room);
  }
  if (from >= list.all.length) return undefined;
  const { data, next } = fitRows(list.all, { from, most }, room, (rows) => ({
    ...totalOf(headers),
    ...(summaries.summarize(list.others) as Members),
    ...summaries.tableOf(rows),
  }));
  const [, token] = /<\/api\/pages\/([^>]+)>; rel="next"/.exec(headers['Link'] ?? '') ?? [];
  const ofPage = page === undefined ? {} : { page };
  if (next !== undefined) return { ...data, next_page: { ...ofPage, from: next } };
  return { ...data, ...(token !== undefined && { next_page: { page: token } }) };
}

/** The records of a reply that is or contains a list, and its other members, except those for HTTP only. */
function findList(value: unknown, { tableOf }: Summaries) {
  if (tableOf(value)) return { all: value as readonly unknown[], others: {} };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
  const [[name, all] = []] = lists;
  if (lists.length !== 1 || name === undefined || !tableOf(all)) return undefined;
  const { [name]: _, total: __, next: ___, schema_notes: ____, absent: _____, ...others } = value as Members;
  return { all: all as readonly unknown[], others };
}

function showPart(reply: unknown, { part, from, rows: most }: View, room: number): Members | undefined {
  const value = findPart(reply, part);
  if (value === undefined || (from > 0 && !(Array.isArray(value) && from < value.length))) return undefined;
  if (Array.isArray(value)) {
    const { data, next } = fitRows(value, { from, most }, room, (rows) => ({ part, data: rows }));
    return { ...data, ...(next !== undefined && { next_page: { part, from: next } }) };
  }
  if (typeof value !== 'object' || value === null) return { part, data: value };
  const { left_out: leftOut, ...data } = fitMembers(value as Members, part, room);
  return { part, data, ...(leftOut !== undefined && { left_out: leftOut }) };
}

/** As many rows as fit, at least one; `next` is the first row that does not. */
function fitRows<Shown extends object>(
  all: readonly unknown[],
  { from, most = all.length }: { readonly from: number; readonly most: number | undefined },
  room: number,
  draw: (rows: readonly unknown[]) => Shown,
): { readonly data: Shown; readonly next: number | undefined } {
  for (let count = Math.min(most, all.length - from); ;) {
    const data = draw(all.slice(from, from + count));
    const size = sizeOf(data);
    if (size <= room || count <= 1) {
      const next = from + count;
      return { data, next: next < all.length ? next : undefined };
    }
    count = Math.max(1, Math.min(count - 1, Math.floor((count * room) / size)));
  }
}

/** The members that fit, smallest first; the others are named. */
function fitMembers(value: Members, part: string, room: number): Members {
  const leftOut: string[] = [];
  const bySize = Object.entries(value).sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
  let shown = value;
  for (const [name] of bySize) {
    if (sizeOf({ ...shown, left_out: leftOut }) <= room) break;
    const { [name]: _, ...others } = shown;
    shown = others;
    leftOut.push(memberOf(part, name));
  }
  return leftOut.length === 0 ? shown : { ...shown, left_out: leftOut };
}

/** Members of a bought record that its summary shortens or leaves out, except single values and empty ones. */
function restOf(value: unknown, shown: Members): readonly string[] {
  return Object.entries(value as Members).flatMap(([name, member]) => {
    const isShown = typeof member !== 'object' || JSON.stringify(member).length <= '[]'.length;
    return isShown || JSON.stringify(member) === JSON.stringify(shown[name]) ? [] : [memberOf('', name)];
  });
}

/** Bytes of a value in a result, which contains it as a string. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

function totalOf(headers: OperationReply['headers']) {
  const total = headers['X-Total-Count'];
  return total === undefined ? {} : { total: Number(total) };
}
