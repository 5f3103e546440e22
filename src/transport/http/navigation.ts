import type { IncomingMessage } from 'node:http';
import { contentDigest, wholeBytes } from '../../contract/rendered.js';
import type { OperationReply } from '../../operations/operation.js';

/** Shows an error to a person. Undefined where it stays as programs get it. */
export type RenderForPeople = (told: {
  readonly operationId: string | undefined;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  /** The JSON of the error. */
  readonly body: string;
  readonly retryAfter: string | undefined;
  readonly requestId: string;
  readonly address: string;
}) => Promise<string | undefined>;

/** True for an unpaid address that a person opens in a browser. Programs do not send Sec-Fetch-Mode: navigate. */
export function isNavigation({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['payment-signature'] === undefined &&
    (headers.accept ?? '').includes('text/html')
  );
}

/**
 * A form of the pages also sends the fields that were left empty; the address without them is what was meant. Undefined
 * for any other navigation.
 */
export function completeQuery({ headers, url = '' }: IncomingMessage, query: string): OperationReply | undefined {
  const given = query.split('&').filter((part) => !/^[^=]*=$/.test(part));
  if (headers['sec-fetch-site'] !== 'same-origin' || given.join('&') === query) return undefined;
  const path = url.slice(0, url.indexOf('?'));
  const Location = given.length === 0 ? path : `${path}?${given.join('&')}`;
  return { status: 303, headers: { Location, 'Cache-Control': 'no-store' }, body: undefined };
}

interface Shown {
  readonly operationId?: string;
  readonly path: string;
  readonly query: string;
  readonly requestId: string;
  readonly address: string;
  readonly render: RenderForPeople;
}

/** What a navigation is answered: the reply itself, or the page of an error, with the error's status and headers. */
export async function showToPeople(
  { operationId, path, query, requestId, address, render }: Shown,
  reply: OperationReply,
): Promise<OperationReply> {
  const { status, headers, body } = reply;
  if (status < 400 || typeof body !== 'string') return reply;
  const retryAfter = headers['Retry-After'];
  const page = await render({ operationId, path, query, requestId, address, status, body, retryAfter });
  if (page === undefined) return reply;
  const bytes = wholeBytes(Buffer.from(page));
  return {
    status,
    headers: { ...headers, 'Content-Type': 'text/html', Vary: 'Accept, Sec-Fetch-Mode' },
    body: bytes,
    cacheKey: contentDigest(bytes).toString('base64url'),
  };
}
