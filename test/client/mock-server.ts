import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The mock server's answer; `hang_up` closes the connection without an answer. */
export type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | 'hang_up';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server with the service's wire format: one scripted answer per request, the last one repeated. */
export interface MockServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** The received PAYMENT-SIGNATURE headers, in order. */
  signatures(): string[];
  stop(): Promise<void>;
}

export async function startMockServer(script: readonly Answer[]): Promise<MockServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const answer = script[Math.min(requests.length, script.length - 1)];
    requests.push({ url: request.url ?? '', headers: request.headers });
    if (answer === undefined || answer === 'hang_up') {
      request.socket.destroy();
      return;
    }
    const { status, headers = {}, body } = answer;
    response.sendDate = false; // tests use their own clocks
    const type = status === 200 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'Content-Type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    signatures: () => requests.flatMap(({ headers }) => headers['payment-signature'] ?? []),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const payTo = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const localToken = '0x7e57000000000000000000000000000000000001';

/** One payment option of a 402; five cents on the local chain by default. */
export function requirementOf(changes: Record<string, unknown> = {}) {
  return {
    scheme: 'exact',
    network: 'eip155:31337',
    amount: '50000',
    asset: localToken,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: 'Demonstration USD Coin', version: '1' },
    ...changes,
  };
}

export function challengeOf(accepts: readonly ReturnType<typeof requirementOf>[] = [requirementOf()]) {
  const resource = { url: 'https://deals.example/api/deals', description: 'Active deals, best first' };
  return { x402Version: 2 as const, resource, accepts: [...accepts] };
}

/** A 402 as the service sends it: the challenge in the header and in the body. */
export function priced(accepts?: readonly ReturnType<typeof requirementOf>[], problem: object = {}): Answer {
  const challenge = { ...challengeOf(accepts), error: 'PAYMENT-SIGNATURE header is required' };
  return {
    status: 402,
    headers: { 'PAYMENT-REQUIRED': base64(challenge) },
    body: { ...problemBody(402, 'payment_required', problem), ...challenge },
  };
}

export function problem(
  status: number,
  reason: string,
  members: object = {},
  headers: Record<string, string> = {},
): Answer {
  return { status, headers, body: problemBody(status, reason, members) };
}

/**
 * A 402 that asks for a wallet's proof, and for no payment. `problem`: what the body says where the payment was
 * presented.
 */
export function asksForProof(baseUrl: string, paymentId: string, network = 'eip155:31337', problem?: object): Answer {
  const uri = `${baseUrl}/api/payments/${paymentId}/response`;
  const info = {
    domain: new URL(uri).host,
    uri,
    statement: 'Get the paid reply again. This signs no payment.',
    version: '1',
    nonce: 'ab'.repeat(16),
    issuedAt: '2026-11-22T12:00:00.000Z',
    expirationTime: '2026-11-22T12:05:00.000Z',
    resources: [uri],
  };
  const signIn = { info, supportedChains: [{ chainId: network, type: 'eip191' }] };
  const challenge = { ...challengeOf([]), extensions: { 'sign-in-with-x': signIn } };
  const body = problem && problemBody(402, 'payment_already_used', problem);
  return { status: 402, headers: { 'PAYMENT-REQUIRED': base64(challenge) }, body: { ...body, ...challenge } };
}

/** What the body says of a payment that somebody else has sent. */
export const sentElsewhere = { payment: 'unknown', retry_same_payment: true };

export const transaction = `0x${'ab'.repeat(32)}`;

/** A paid 200. */
export function sold(body: unknown, headers: Record<string, string> = {}): Answer {
  const receipt = {
    success: true,
    payer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    transaction,
    network: 'eip155:31337',
    amount: '50000',
  };
  return { status: 200, headers: { 'PAYMENT-RESPONSE': base64(receipt), ...headers }, body };
}

function problemBody(status: number, reason: string, members: object) {
  return {
    type: `/errors#${reason}`,
    title: reason,
    status,
    detail: `The detail of ${reason}.`,
    instance: 'urn:request:r1',
    reason,
    billed: false,
    payment: 'none',
    retryable: false,
    retry_same_payment: false,
    request_id: 'r1',
    errors: [],
    next: [],
    ...members,
  };
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Another copy of the payment is in progress. */
export const inProgress = problem(
  409,
  'payment_in_progress',
  { payment: 'unknown', retryable: true, retry_same_payment: true },
  { 'Retry-After': '2' },
);

/** The payment may have been charged. */
export const unknown = problem(
  503,
  'settlement_unknown',
  { payment: 'unknown', retryable: true, retry_same_payment: true },
  { 'Retry-After': '3' },
);
