import assert from 'node:assert/strict';
import type { ProblemBody } from '../../src/operations/problem.js';
import type { SettleResponse } from '../../src/payments/payment-response.js';

/** A reply, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body of an error, with what a 402 adds. */
  readonly problem: (ProblemBody & { readonly error?: string; readonly accepts?: readonly unknown[] }) | undefined;
  /** The code of x402 in PAYMENT-REQUIRED. */
  readonly error: string | undefined;
  readonly settlement: SettleResponse | undefined;
}

/** Shows a payment at an address; with its payer's proof where one is given. */
export async function payAt(url: string, header: string, proof?: string): Promise<Answer> {
  const headers = { 'PAYMENT-SIGNATURE': header, ...(proof === undefined ? {} : { 'SIGN-IN-WITH-X': proof }) };
  return readAnswer(await fetch(url, { headers }));
}

/** Reads a reply, and holds it to what is true of every reply to a payment. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isProblem = headers.get('Content-Type')?.startsWith('application/problem+json') ?? false;
  const answer: Answer = {
    status,
    headers,
    text,
    problem: isProblem && text !== '' ? (JSON.parse(text) as Answer['problem']) : undefined,
    error: decode<{ error: string }>(headers.get('PAYMENT-REQUIRED'))?.error,
    settlement: decode<SettleResponse>(headers.get('PAYMENT-RESPONSE')),
  };
  assertHonest(answer);
  return answer;
}

/** Every problem is unbilled; only a 402 asks for a payment; only a 200 is paid for. */
function assertHonest({ status, headers, problem, error, settlement }: Answer): void {
  assert.equal(error !== undefined, status === 402, `${status} with PAYMENT-REQUIRED: ${error}`);
  if (settlement !== undefined) assert.equal(settlement.success, status === 200);
  if (problem === undefined) return;
  assert.equal(problem.status, status);
  assert.equal(problem.billed, false);
  const isOffer = status === 402 && problem.title !== 'Correct the request first';
  assert.equal(
    problem.accepts !== undefined,
    isOffer,
    'only a 402 offers a new payment, and none for a faulty request',
  );
  assert.equal(headers.get('Cache-Control'), 'no-store');
  // Whoever is asked to sign in pays with what was signed before, and may do so at once.
  const asksToSignIn = status === 402 && problem.accepts?.length === 0 && problem.payment === 'unknown';
  if (status === 402) assert.equal(problem.retry_same_payment, asksToSignIn);
  else if (problem.retry_same_payment) assert.ok(headers.has('Retry-After'));
}

/** Asserts a refusal, by its status and reason, and for a 402 the code of x402. */
export function assertRefused(answer: Answer, status: number, reason: string, error?: string): void {
  assert.equal(`${answer.status} ${answer.problem?.reason}`, `${status} ${reason}`, answer.text);
  if (error !== undefined) assert.equal(answer.error, error);
}

/** Asserts that data came, and that it was paid for. */
export function assertPaid(answer: Answer): void {
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  assert.equal(answer.settlement?.success, true);
  assert.match(answer.settlement.transaction, /^0x[0-9a-f]{64}$/);
  assert.equal(answer.headers.get('Cache-Control'), 'private, no-store');
  assert.match(answer.text, /^\[?\{"/);
}

function decode<T>(header: string | null): T | undefined {
  return header === null ? undefined : (JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as T);
}
