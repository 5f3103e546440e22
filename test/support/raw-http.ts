import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { askPrice, signPayment } from './pay.js';

/** A reply as received, not decompressed. */
export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Closes the connection after the reply. Default: it is kept. */
  readonly close?: boolean;
}

/** Sends a request with exactly the given target: nothing is normalized or added. */
export function ask(baseUrl: string, target: string, { method = 'GET', headers = {}, close }: RawRequest = {}) {
  const { hostname, port } = new URL(baseUrl);
  return new Promise<RawReply>((resolve, reject) => {
    const sent = request(
      { hostname, port, path: target, method, headers, ...(close ? { agent: false } : {}) },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Writes text to a new connection and reads until the server closes it. */
export function speak(baseUrl: string, ...texts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(baseUrl);
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    // A server that refuses early may reset the connection; its reply still counts.
    socket.on('error', (error) => (heard === '' ? reject(error) : resolve(heard)));
    socket.on('close', () => resolve(heard));
    for (const text of texts) socket.write(text);
  });
}

/** A plain connection; close it when done. */
export function openSocket(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  return connect(Number(port), hostname);
}

/** The reply in a connection's text. */
export function parseReply(text: string): RawReply {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: Buffer.from(rest.join('\r\n\r\n'), 'latin1') };
}

const validators = createValidators(loadContract());

/** Checks an error reply against RFC 9457 and the contract, and returns its body. */
export function assertProblem(reply: RawReply, status: number, reason?: string): Record<string, unknown> {
  assert.equal(reply.status, status, reply.body.toString().slice(0, 500));
  assert.equal(reply.headers['content-type'], 'application/problem+json');
  assert.equal(reply.headers['cache-control'], 'no-store');
  const body = JSON.parse(reply.body.toString()) as Record<string, unknown>;
  const isOffer = status === 402 && 'accepts' in body;
  const check = validators.at(`#/components/schemas/${isOffer ? 'PaymentRequiredProblem' : 'Problem'}`);
  assert.ok(check(body), JSON.stringify(check.faults()));
  assert.equal(body['status'], status);
  assert.equal(body['billed'], false);
  assert.equal(body['request_id'], reply.headers['request-id']);
  assert.equal(body['instance'], `urn:request:${String(body['request_id'])}`);
  if (reason !== undefined) assert.equal(body['reason'], reason);
  return body;
}

/** An unpaid caller's reply: the whole 402 except the identity of this request. */
export function priceToldBy(reply: RawReply): Record<string, unknown> {
  const { request_id: id, instance, ...told } = assertProblem(reply, 402, 'payment_required');
  assert.ok(String(instance).endsWith(String(id)));
  return told;
}

/** The same without what repeats the request: its address, the parameters in what is signed and declared,
 * and what it would buy. */
export function priceAlone(reply: RawReply): Record<string, unknown> {
  const { resource, extensions, preview: _, ...told } = priceToldBy(reply);
  const { url, ...described } = resource as { readonly url: string };
  assert.ok(!JSON.stringify({ told, described }).includes(url));
  return { ...told, described, extensions: Object.keys(Object(extensions)) };
}

/** Asks the price, signs and pays; returns the raw reply. */
export async function buyRaw(url: string): Promise<RawReply> {
  const { origin, pathname, search } = new URL(url);
  return ask(origin, pathname + search, { headers: { 'PAYMENT-SIGNATURE': await signPayment(await askPrice(url)) } });
}
