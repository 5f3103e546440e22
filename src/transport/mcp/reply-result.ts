import type { CallToolResult } from '@modelcontextprotocol/server';
import type { OperationReply } from '../../operations/operation.js';
import { paymentResponseKey, settlementIn } from './payment-meta.js';
import { show, sizeOf, type MissingPart } from './show.js';
import type { Summarize } from './summaries.js';

/** What of a reply was asked for. */
export interface Viewed {
  readonly value: unknown;
  /** JSON pointer into the reply. */
  readonly part: string;
  readonly from: number;
}

/** The call that shows other parts of the same reply, free. */
export interface Reading {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Address of the whole reply, where it was bought. */
  readonly fullReply?: string;
}

/** More than this models do not take in, and clients cut off. */
export const maxResultBytes = 25_000;
/** What the protocol puts around a result. */
const envelopeBytes = 600;

/**
 * The result of a tool for a reply: as much of it as fits, and how to read the rest. The settlement goes in `_meta`.
 */
export function replyResult(
  viewed: Viewed,
  reply: OperationReply,
  reading: Reading,
  summarize: Summarize,
): CallToolResult {
  const { headers } = reply;
  const settlement = settlementIn(headers['PAYMENT-RESPONSE']);
  const _meta = settlement && { [paymentResponseKey]: settlement };
  const rooms = maxResultBytes - envelopeBytes - Buffer.byteLength(JSON.stringify(_meta ?? {}));
  const { part, from, value } = viewed;
  for (let room = rooms; ;) {
    const shown = show(value, { part, from, room, summarize });
    const structuredContent = {
      data: shown.data,
      ...(part !== '' && { part }),
      ...(from > 0 && { from }),
      ...countsOf(headers),
      ...(shown.isShortened && { shortened: true }),
      ...restOf(shown.missing, reading),
      ...nextPageOf(headers),
    };
    const excess = sizeOf(structuredContent) - rooms;
    // What surrounds the data is known only with it: its room is what that leaves.
    if (excess <= 0 || room <= 0) return { ...resultOf(structuredContent), ...(_meta && { _meta }) };
    room -= excess;
  }
}

/** A result that says the same twice: as an object, and as text for clients that know no objects. */
export function resultOf(structuredContent: Record<string, unknown>): CallToolResult {
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

function countsOf(headers: OperationReply['headers']) {
  const [total, version] = [headers['X-Total-Count'], headers['Feed-Version']];
  return {
    ...(total !== undefined && { total: Number(total) }),
    ...(version !== undefined && { feed_version: Number(version) }),
  };
}

function restOf(parts: readonly MissingPart[], { tool, arguments: given, fullReply }: Reading) {
  return {
    ...(parts.length > 0 && { rest: { tool, arguments: given, parts } }),
    ...(fullReply !== undefined && { full_reply: fullReply }),
  };
}

function nextPageOf(headers: OperationReply['headers']) {
  const [, token] = /<\/api\/pages\/([^>]+)>; rel="next"/.exec(headers['Link'] ?? '') ?? [];
  return token === undefined ? {} : { next_page: { tool: 'get_page', arguments: { token } } };
}
