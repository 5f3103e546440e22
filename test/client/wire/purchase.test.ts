import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { demonstrationKey } from '../../../src/client/payments/choose-payer.js';
import { FaultyRequestError } from '../../../src/client/error-classes.js';
import { createPaymentJournal } from '../../../src/client/payments/payment-journal.js';
import { createMemoryStorage } from '../../../src/client/payments/payment-storage.js';
import { PurchaseError } from '../../../src/client/payments/purchase-error.js';
import { purchase, type Purchase, type PurchaseOptions } from '../../../src/client/wire/purchase.js';
import { createServiceClient } from '../../../src/client/service-client.js';
import {
  inProgress,
  priced,
  problem,
  requirementOf,
  sold,
  startMockServer,
  transaction,
  unknown,
  type Answer,
} from '../mock-server.js';

const account = privateKeyToAccount(demonstrationKey);
const path = '/api/deals?state=OH&city=Kansas%20City';
const busy = problem(429, 'rate_limited', { retryable: true }, { 'Retry-After': '7' });
const proxyError: Answer = { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad gateway</h1>' };

interface Outcome {
  readonly purchase: Purchase | undefined;
  readonly error: PurchaseError | undefined;
  readonly waitedSeconds: readonly number[];
  readonly approvals: number;
  readonly paths: readonly string[];
  /** Distinct PAYMENT-SIGNATURE headers, and how often each arrived. */
  readonly signed: number;
  readonly presented: number;
}

async function buyFrom(script: readonly Answer[], options: Partial<PurchaseOptions> = {}): Promise<Outcome> {
  const server = await startMockServer(script);
  const waitedSeconds: number[] = [];
  let approvals = 0;
  try {
    const now = () => new Date();
    const result = await purchase(createServiceClient(server.url), path, {
      baseUrl: server.url,
      journal: createPaymentJournal({ storage: createMemoryStorage(), now }),
      now,
      randomBytes,
      approve: () => {
        approvals += 1;
        return account;
      },
      patience: { maxAttempts: 4, random: () => 0, sleep: async (ms) => void waitedSeconds.push(ms / 1000) },
      ...options,
    }).catch((error: unknown) => {
      assert.ok(error instanceof PurchaseError, String(error));
      return error;
    });
    const signatures = server.signatures();
    return {
      purchase: result instanceof PurchaseError ? undefined : result,
      error: result instanceof PurchaseError ? result : undefined,
      waitedSeconds,
      approvals,
      paths: server.requests.map(({ url }) => url),
      signed: new Set(signatures).size,
      presented: signatures.length,
    };
  } finally {
    await server.stop();
  }
}

describe('a purchase', () => {
  it('asks, has the price approved, pays once, and returns body and receipt unchanged', async () => {
    const outcome = await buyFrom([priced(), sold('[{"list_price":"1.10"}] ')]);
    assert.equal(outcome.purchase?.reply.text, '[{"list_price":"1.10"}] ');
    assert.equal(outcome.purchase?.paid?.payment.amount, '50000');
    assert.equal(outcome.purchase.paid.receipt?.transaction, transaction);
    assert.deepEqual(outcome.paths, [path, path]);
    assert.deepEqual([outcome.approvals, outcome.signed, outcome.presented], [1, 1, 1]);
  });

  it('gets a free reply without a signature', async () => {
    const outcome = await buyFrom([{ status: 200, body: { name: 'feed' } }]);
    assert.equal(outcome.purchase?.reply.text, '{"name":"feed"}');
    assert.deepEqual([outcome.purchase.paid, outcome.approvals, outcome.signed], [undefined, 0, 0]);
  });

  it('reads a challenge from the body when the header is lost', async () => {
    const answer = priced();
    assert.ok(answer !== 'hang_up');
    const outcome = await buyFrom([{ ...answer, headers: {} }, sold([])]);
    assert.equal(outcome.presented, 1);
    assert.ok(outcome.purchase);
  });

  it('returns the paid reply even when the receipt is unreadable', async () => {
    const outcome = await buyFrom([priced(), { status: 200, headers: { 'PAYMENT-RESPONSE': '!' }, body: [1] }]);
    assert.equal(outcome.purchase?.reply.text, '[1]');
    assert.equal(outcome.purchase.paid?.receipt, undefined);
  });
});

describe('a purchase that waits', () => {
  it('presents the same payment again on 409 and 503, after Retry-After', async () => {
    const outcome = await buyFrom([priced(), inProgress, unknown, sold([])]);
    assert.ok(outcome.purchase);
    assert.deepEqual(outcome.waitedSeconds, [2, 3]);
    assert.deepEqual([outcome.signed, outcome.presented, outcome.approvals], [1, 3, 1]);
  });

  it('waits out 429 before the price is known and after it was paid', async () => {
    const outcome = await buyFrom([busy, priced(), busy, sold([])]);
    assert.ok(outcome.purchase);
    assert.deepEqual(outcome.waitedSeconds, [7, 7]);
    assert.deepEqual([outcome.signed, outcome.presented], [1, 2]);
  });

  it('presents the same payment again when the connection breaks or a proxy answers', async () => {
    const outcome = await buyFrom([priced(), 'hang_up', proxyError, sold([])]);
    assert.ok(outcome.purchase);
    assert.deepEqual(outcome.waitedSeconds, [1, 2]);
    assert.deepEqual([outcome.signed, outcome.presented], [1, 3]);
  });

  it('presents the same payment again when the body breaks off', async () => {
    const cut: Answer = { status: 200, headers: { 'Content-Length': '50', Connection: 'close' }, body: '[' };
    const outcome = await buyFrom([priced(), cut, sold('[2]')]);
    assert.equal(outcome.purchase?.reply.text, '[2]');
    assert.deepEqual([outcome.signed, outcome.presented], [1, 2]);
  });

  it('gives up after the last attempt, having signed once, and reports an unknown outcome', async () => {
    const outcome = await buyFrom([priced(), unknown]);
    assert.equal(outcome.error?.reason, 'settlement_unknown');
    assert.equal(outcome.error.context.payment, 'unknown');
    assert.equal(outcome.error.context.authorization?.payer, account.address);
    assert.match(outcome.error.context.authorization.nonce, /^0x[0-9a-f]{64}$/);
    assert.deepEqual([outcome.signed, outcome.presented, outcome.waitedSeconds.length], [1, 4, 3]);
  });

  it('reports an unknown outcome when no answer arrives, or only a proxy answers', async () => {
    for (const answer of ['hang_up', proxyError] as const) {
      const { error, signed } = await buyFrom([priced(), answer]);
      assert.deepEqual([error?.reason, error?.context.payment, signed], ['outcome_unknown', 'unknown', 1]);
    }
  });

  it('does not wait when the server asks for more than a minute', async () => {
    const hours = problem(429, 'rate_limited', { retryable: true }, { 'Retry-After': '7200' });
    const outcome = await buyFrom([hours]);
    assert.equal(outcome.error?.reason, 'rate_limited');
    assert.deepEqual([outcome.waitedSeconds, outcome.paths.length], [[], 1]);
  });

  it('waits longer each time when Retry-After is missing or invalid, and never less than a second', async () => {
    const retry = (headers: Record<string, string>) =>
      problem(503, 'temporarily_unavailable', { retryable: true }, headers);
    const script = [
      retry({}),
      retry({ 'Retry-After': '0' }),
      retry({ 'Retry-After': 'soon' }),
      { status: 200, body: [] },
    ];
    assert.deepEqual((await buyFrom(script)).waitedSeconds, [1, 1, 4]);
  });

  it('spreads out the retries of clients that were refused together', async () => {
    const waited: number[] = [];
    const sleep = async (ms: number) => void waited.push(ms);
    await buyFrom([busy, priced(), sold([])], { patience: { maxAttempts: 2, random: () => 0.999, sleep } });
    assert.deepEqual(waited, [8748]);
  });
});

describe('a purchase that is refused', () => {
  it("returns the server's reason and detail, with no money spent", async () => {
    const next = [{ title: 'Coverage', url: '/api/meta' }];
    const { error, signed } = await buyFrom([
      priced(),
      problem(404, 'no_records_match', { payment: 'not_settled', next }),
    ]);
    assert.deepEqual(
      [error?.reason, error?.message, error?.context.payment, error?.context.status, error?.context.requestId],
      ['no_records_match', 'The detail of no_records_match.', 'not_settled', 404, 'r1'],
    );
    assert.deepEqual(error?.context.next, next);
    assert.equal(signed, 1);
  });

  it('treats a 402 after payment as a refusal and does not sign again', async () => {
    const refusal = priced(undefined, { reason: 'payment_invalid', payment: 'not_settled' });
    const { error, signed, presented } = await buyFrom([priced(), refusal]);
    assert.deepEqual([error?.reason, signed, presented], ['payment_invalid', 1, 1]);
  });

  it('signs nothing for parameters that the 402 already lists as faulty', async () => {
    const errors = [
      { parameter: 'stat', in: 'query', reason: 'unknown_parameter', detail: 'Unknown.', nearest: 'state' },
    ];
    const { error, approvals, presented } = await buyFrom([priced(undefined, { errors })]);
    assert.deepEqual([error?.reason, approvals, presented], ['unknown_parameter', 0, 0]);
    assert.ok(error instanceof FaultyRequestError);
    assert.equal(error.message, 'stat: Unknown.');
    assert.deepEqual(error.context.faults, errors);
  });

  it('signs nothing above the limit', async () => {
    const { error, presented } = await buyFrom([priced([requirementOf({ amount: '1500000' })])]);
    assert.deepEqual([error?.reason, presented], ['price_above_limit', 0]);
  });

  it('signs nothing for an unknown network and does not ask for approval', async () => {
    const { error, approvals, presented } = await buyFrom([priced([requirementOf({ network: 'eip155:1' })])]);
    assert.deepEqual([error?.reason, approvals, presented], ['no_acceptable_payment', 0, 0]);
  });

  it('signs nothing when the buyer does not approve', async () => {
    const approve = () => {
      throw new PurchaseError('key_needed', 'No key.');
    };
    const { error, presented } = await buyFrom([priced(), sold([])], { approve });
    assert.deepEqual([error?.reason, presented], ['key_needed', 0]);
  });

  it('signs nothing for an unreadable challenge', async () => {
    for (const answer of [
      { status: 402, body: { x402Version: 1, accepts: [] } },
      { status: 402, headers: { 'PAYMENT-REQUIRED': 'bm90IGpzb24=' }, body: 'pay!' },
    ]) {
      const { error, presented } = await buyFrom([answer]);
      assert.deepEqual([error?.reason, presented], ['challenge_unreadable', 0]);
    }
  });

  it('does not send a payment to the target of a redirect', async () => {
    const elsewhere = await startMockServer([sold([])]);
    try {
      const redirect: Answer = { status: 307, headers: { Location: `${elsewhere.url}/api/deals` }, body: '' };
      const { error } = await buyFrom([priced(), redirect]);
      assert.deepEqual([error?.reason, error?.context.status], ['unexpected_answer', 307]);
      assert.equal(error?.context.payment, 'unknown', 'whoever redirects may have passed the payment on');
      assert.deepEqual(elsewhere.requests, []);
    } finally {
      await elsewhere.stop();
    }
  });

  it('reports an answer that is not from this service', async () => {
    const { error } = await buyFrom([{ status: 404, headers: { 'Content-Type': 'text/html' }, body: '<h1>?</h1>' }]);
    assert.deepEqual(
      [error?.reason, error?.context.status, error?.context.payment],
      ['unexpected_answer', 404, undefined],
    );
  });

  it('reports an unreachable server', async () => {
    const { error, paths } = await buyFrom(['hang_up']);
    assert.equal(error?.reason, 'server_unreachable');
    assert.equal(paths.length, 1);
  });
});
