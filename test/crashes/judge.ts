import assert from 'node:assert/strict';
import type { Answer } from '../payments/answer.js';
import { assertPaid } from '../payments/answer.js';
import type { AuditedPayment } from '../support/crash-messages.js';

/** All facts about a payment in the end. */
export interface PaymentHistory {
  /** Whether its money must move. */
  readonly isPaid: boolean;
  /** True for an exclusive lead. */
  readonly isExclusive: boolean;
  /** All answers to it, in order; `heardBefore` of them before the crash. */
  readonly heard: readonly Answer[];
  readonly heardBefore: number;
  readonly row: AuditedPayment | undefined;
  /** How often its nonce was used on the chain. */
  readonly settlements: number;
  /** Atomic units. */
  readonly price: bigint;
}

/** Asserts what holds for every payment, whatever happened to it. */
export function judge(history: PaymentHistory): void {
  const { heard, settlements } = history;
  assert.equal(settlements, history.isPaid ? 1 : 0, `settled ${settlements} times: ${describe(history)}`);
  for (const { status, problem } of heard) {
    assert.ok([200, 402, 409, 503].includes(status), describe(history));
    if (status === 503) assert.equal(problem?.retry_same_payment, true);
  }
  if (settlements === 1) judgePaid(history);
  else judgeUnpaid(history);
}

function judgePaid(history: PaymentHistory): void {
  const { heard, heardBefore, row, price } = history;
  const sold = heard.filter(({ status }) => status === 200);
  const [first] = sold;
  assert.ok(first, `charged, and never delivered: ${describe(history)}`);
  assert.ok(
    heard.slice(0, heard.indexOf(first)).every(({ status }) => status !== 402),
    describe(history),
  );
  // Once before the crash and once after it, when nobody could know that the reply had arrived.
  assert.ok(sold.length === 1 || (sold.length === 2 && heard.indexOf(first) < heardBefore), describe(history));
  for (const each of sold) {
    assertPaid(each);
    assert.equal(each.text, first.text);
    assert.equal(each.settlement?.transaction, row?.transaction);
  }
  assert.deepEqual([row?.state, row?.amount], ['settled', price.toString()]);
  const { text } = sold.at(-1) ?? first;
  if (history.isExclusive) assert.equal(readLead(text), row?.leadId, 'the lead that it got is the one it holds');
}

function judgeUnpaid(history: PaymentHistory): void {
  const { heard, row } = history;
  assert.ok(!heard.some(({ status }) => status === 200), `delivered, and never charged: ${describe(history)}`);
  assert.equal(heard.at(-1)?.status, 402, describe(history));
  assert.ok(row === undefined || row.state === 'released', describe(history));
  assert.equal(row?.leadId, undefined, `not sold, and not back in the pool: ${describe(history)}`);
}

function readLead(text: string): string {
  return (JSON.parse(text) as { readonly lead: { readonly id: string } }).lead.id;
}

function describe({ heard, heardBefore, row, settlements }: PaymentHistory): string {
  const before = describeAnswers(heard.slice(0, heardBefore));
  return JSON.stringify({ before, after: describeAnswers(heard.slice(heardBefore)), row, settlements });
}

export function describeAnswers(answers: readonly Answer[]): string {
  return answers.map(({ status, problem }) => `${status} ${problem?.reason ?? ''}`).join(', ');
}
