import { concatBytes } from '../../src/contract/rendered.js';
import type { OperationReply } from '../../src/operations/operation.js';
import type { SettleResponse } from '../../src/payments/payment-response.js';

/** The settlement that a reply names. */
export function settlementIn(reply: OperationReply): SettleResponse {
  const text = Buffer.from(reply.headers['PAYMENT-RESPONSE'] ?? '', 'base64').toString();
  return JSON.parse(text === '' ? '{"transaction":""}' : text) as SettleResponse;
}

/** The content of a reply by the mock handler. */
export function textOf({ body }: OperationReply): string {
  if (body === undefined || typeof body === 'string') return '';
  return (JSON.parse(Buffer.from(concatBytes(body)).toString()) as string[]).join();
}

/** A field of a JSON body; "undefined" where there is none. */
export function fieldIn({ body }: OperationReply, name: string): string {
  return typeof body === 'string' ? String((JSON.parse(body) as Record<string, unknown>)[name]) : '';
}

/** A 402 that asks for no payment, but for the proof of whoever has paid. */
export function asksToSignIn({ body }: OperationReply): boolean {
  return typeof body === 'string' && body.includes('"accepts":[]');
}
