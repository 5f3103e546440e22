/**
 * The result of one HTTP exchange. `not_sent`: surely no byte of the request left. `lost`: it may have been received.
 */
export type JsonExchange =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'lost' | 'not_sent'; readonly detail: string };

export interface JsonRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Serialized JSON. */
  readonly body?: string;
}

/** A facilitator's answers have a few hundred bytes, its list of kinds a few thousand. */
const maxReplyBytes = 262_144;

/**
 * Sends one request and reads the reply as JSON, whatever its status. Follows no redirect, which would carry
 * credentials and payments to another host; tries nothing twice; reads no more than 256 KB. A reply that is no JSON has
 * the body undefined. Never rejects, and no detail holds an address, a header or a body.
 *
 * @param timeoutMs until the whole reply is read
 */
export async function exchangeJson(request: JsonRequest, timeoutMs: number): Promise<JsonExchange> {
  const { url, method, headers, body } = request;
  try {
    const reply = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body }),
    });
    return { kind: 'answered', status: reply.status, body: parseJson(await readText(reply)) };
  } catch (error) {
    const codes = codesOf(error);
    const isUnsent = codes.length > 0 && codes.every((code) => unsentCodes.has(code));
    return { kind: isUnsent ? 'not_sent' : 'lost', detail: codes.join(', ') || nameOf(error) };
  }
}

/** There was no connection: the name is not known, nobody listens, or nobody picked up. */
const unsentCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/** The system's codes behind a failed fetch; one for each address where a name has several. */
function codesOf(error: unknown): string[] {
  const cause = error instanceof Error ? error.cause : undefined;
  const faults: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return [...new Set(faults.map((fault) => String(Reflect.get(Object(fault), 'code') ?? '')))].filter(Boolean);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no answer';
}

async function readText(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > maxReplyBytes) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
