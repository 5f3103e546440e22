import { createHmac, randomBytes } from 'node:crypto';
import type { Contract } from '../../contract/contract.js';
import type { Log } from '../../log.js';
import type { AnsweredCall, ReplyFacts } from '../../operations/operation.js';
import { outcomeOf } from '../../operations/outcome.js';

export interface RequestLogPorts {
  readonly contract: Pick<Contract, 'operations'>;
  /** Keys the hashes of payers. The same on all instances, and kept. */
  readonly hashKey: string;
  readonly now: () => Date;
  readonly log: Log;
}

export type LogRequest = (requestId: string, address: string, call: AnsweredCall) => void;

const [dayMs, mostCallers, filterBytes] = [86_400_000, 10_000, 60];
/** Enough to tell payments and transactions apart, and to find them by. */
const idLength = 18;

/**
 * Creates the line of a request in the log: at most 400 bytes of its own, of which nothing is the caller's own text.
 * Callers are hashed with a key that is forgotten at the end of the day, payers with one that stays.
 */
export function createRequestLog({ contract, hashKey, now, log }: RequestLogPorts): LogRequest {
  const known = new Map(
    contract.operations.map(({ operationId, parameters, priceUsd, tags }) => {
      const filters = new Set(parameters.flatMap((each) => (each.in === 'query' ? [each.name] : [])));
      return [operationId, { filters, priceUsd, level: tags.includes('health') ? 'debug' : 'info' } as const];
    }),
  );
  // Nothing in here needs to be looked for.
  const lines = log.child({}, { redact: [] });
  const callers = new Map<string, string>();
  let [day, dayKey] = [0, randomBytes(32)];

  function hashCaller(address: string): string {
    const today = Math.floor(now().getTime() / dayMs);
    if (today !== day || callers.size >= mostCallers) callers.clear();
    if (today !== day) [day, dayKey] = [today, randomBytes(32)];
    let hashed = callers.get(address);
    if (hashed === undefined) callers.set(address, (hashed = shortHash(dayKey, address)));
    return hashed;
  }

  return (requestId, address, { operationId, transport, query, ms, reply }) => {
    const { filters, priceUsd, level = 'info' } = known.get(operationId ?? '') ?? {};
    if (!log.isLevelEnabled(level)) return;
    // A message of the protocol that calls nothing is free.
    const { outcome, reason } = outcomeOf(reply, priceUsd !== undefined);
    const { status, headers, body } = reply;
    const { payer, paymentId, transaction }: ReplyFacts = reply.about?.() ?? {};
    lines[level](
      {
        // One by one: the members of an object that was spread are slow to go through.
        requestId,
        operation: operationId,
        transport,
        status,
        outcome,
        reason,
        ms: Math.round(ms * 10) / 10,
        bytes: typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0),
        caller: hashCaller(address),
        payer: payer && shortHash(hashKey, payer),
        paymentId: paymentId?.slice(0, idLength),
        transaction: transaction?.slice(0, idLength),
        priceUsd: outcome === 'sold' ? priceUsd : undefined,
        filters: query === '' ? undefined : namesIn(query, filters),
        feedVersion: headers['Feed-Version'],
      },
      'request',
    );
  };
}

function shortHash(key: string | Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 10);
}

/** The names of parameters in a query, and never another text. */
function namesIn(query: string, known: ReadonlySet<string> | undefined): string | undefined {
  const given = new Set(query.split('&').map((pair) => pair.split('=', 1)[0] ?? ''));
  const names = [...given].filter((name) => known?.has(name)).join();
  return names.length > filterBytes ? `${names.slice(0, filterBytes)}…` : names || undefined;
}
