import type { CallToolResult } from '@modelcontextprotocol/server';
import type { OperationReply } from '../../operations/operation.js';
import { paymentResponseKey, settlementIn } from './payment-meta.js';
import { show, sizeOf, type MissingPart } from './show.js';
import type { Summarize } from './summaries.js';
import { readingTool } from './tool.js';

/** The requested part of a reply. */
export interface Viewed {
  readonly value: unknown;
  /** JSON pointer into the reply. */
  readonly part: string;
  readonly from: number;
  /** Of a list: the most rows to show; undefined for as many as fit. */
  readonly rows: number | undefined;
}

/** The free call that shows other parts of the same reply. */
export interface Reading {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Address of the whole reply, when it was bought. */
  readonly fullReply?: string;
}

/** Larger results are cut off by clients and overwhelm models. */
export const maxResultBytes = 25_000;
/** The protocol's envelope around a result. */
const envelopeBytes = 600;

/**
 * The tool result of a reply: as much of the data as fits, and how to read the rest. The settlement goes into `_meta`.
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
  const { part, from, rows, value } = viewed;
  for (let room = rooms; ;) {
    const shown = show(value, { part, from, rows, room, summarize });
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
    // The size of the other members depends on the data, so the room is reduced until everything fits.
    if (excess <= 0 || room <= 0) return { ...resultOf(structuredContent), ...(_meta && { _meta }) };
    room -= excess;
  }
}

/** A result in two forms: an object, and its JSON text for clients without structured content. */
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
  return token === undefined ? {} : { next_page: { tool: readingTool, arguments: { page: token } } };
}
