import assert from 'node:assert/strict';
import fc from 'fast-check';
import { livePath } from '../../support/live-path.js';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { createValidators } from '../../../src/contract/validators.js';
import { toAtomicUnits } from '../../../src/payments/chain/token-amount.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createInstantSettler } from '../../support/instant-settler.js';
import { askPrice, signPayment, type ChallengeBody } from '../../support/pay.js';
import { ask, type RawReply } from '../../support/raw-http.js';
import { fuzzCases, type FuzzCase } from './fuzz-cases.js';
import { deep } from '../../support/depth.js';

const contract = loadContract();
const validators = createValidators(contract);
const runs = Number(process.env['FUZZ_RUNS'] ?? deep(5_000, 250));

describe('the contract fuzzer (FUZZ_RUNS for more)', () => {
  it(`finds no fault in ${runs} requests, with only 200s billed, when settlements are immediate`, async () => {
    const settler = createInstantSettler();
    const app = await startTestApp({ settler });
    try {
      const { sold, statuses } = await fuzz(app, runs);
      assert.deepEqual(settler.settled.map(({ value }) => value).sort(), sold.sort());
      assert.equal(await countRows(app), sold.length);
      for (const status of [200, 400, 402, 404]) {
        assert.ok((statuses.get(status) ?? 0) > runs / 50, `${status}: ${statuses.get(status) ?? 0} replies`);
      }
    } finally {
      await app.stop();
    }
  });

  it('bills the same on a chain: its balance grows by the prices of the 200s, to the atomic unit', async () => {
    const app = await startTestApp();
    try {
      const before = await balanceOf(app);
      const { sold } = await fuzz(app, 250);
      assert.ok(sold.length > 10, `${sold.length} sales`);
      assert.equal(
        (await balanceOf(app)) - before,
        sold.reduce((sum, price) => sum + price, 0n),
      );
      assert.equal(await countRows(app), sold.length);
    } finally {
      await app.stop();
    }
  });
});

/** Sends the cases one by one; returns the prices of the sold replies and the count of each status. */
async function fuzz(app: TestApp, numRuns: number) {
  const challenges = new Map<string, ChallengeBody>();
  const sold: bigint[] = [];
  const statuses = new Map<number, number>();

  async function send({ operation, path, query, paid }: FuzzCase): Promise<RawReply> {
    const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
    if (!paid || operation.priceUsd === undefined) return ask(app.url, target);
    const challenge = challenges.get(operation.path) ?? (await askPrice(app.url + livePath(app, operation.path)));
    challenges.set(operation.path, challenge);
    const payment = await signPayment({ ...challenge, resource: { url: app.url + path } });
    return ask(app.url, target, { headers: { 'PAYMENT-SIGNATURE': payment } });
  }

  const property = fc.asyncProperty(fuzzCases(contract.document, contract.operations), async (given) => {
    const reply = await send(given);
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const { priceUsd } = given.operation;
    if (priceUsd !== undefined && reply.status === 200) sold.push(toAtomicUnits(priceUsd));
    assertDeclared(given, reply);
    assertExpected(given, reply);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
  return { sold, statuses };
}

/** Asserts a declared status, media type and body. */
function assertDeclared({ operation }: FuzzCase, { status, headers, body }: RawReply): void {
  const declared = operation.replies.get(status);
  assert.ok(declared, `${operation.operationId} answered ${status}: ${body.toString().slice(0, 300)}`);
  const mediaType = String(headers['content-type']).replace('; charset=utf-8', '');
  const pointer = declared.get(mediaType);
  assert.ok(pointer, `${operation.operationId} answered ${status} with ${mediaType}`);
  const check = validators.at(pointer);
  const value: unknown = mediaType.endsWith('json') ? JSON.parse(body.toString()) : body.toString();
  assert.ok(check(value), JSON.stringify(check.faults()[0]));
}

/** Faulty is 400, unpaid is 402 with the faults listed, valid is neither. */
function assertExpected({ operation, fault, paid }: FuzzCase, { status, headers, body }: RawReply): void {
  const isPriced = operation.priceUsd !== undefined;
  if (isPriced && !paid) {
    const { errors } = JSON.parse(body.toString()) as { errors: unknown[] };
    // An address without a resource never asks for payment.
    const expected = operation.path.includes('{') ? [400, 402, 404] : [402];
    assert.ok(expected.includes(status), `${status} ${fault}`);
    if (status !== 404) assert.equal(errors.length > 0, fault !== undefined, fault);
  } else if (fault !== undefined) {
    assert.equal(status, 400, fault);
  } else {
    const possible = operation.path.includes('{') || isPriced ? [200, 404] : [200];
    // A place may be asked for that its source has not read yet.
    const isPending = isPriced && status === 503 && body.includes('"reason":"not_yet_published"');
    assert.ok(
      possible.includes(status) || isPending,
      `${operation.operationId} answered ${status}: ${body.toString().slice(0, 300)}`,
    );
  }
  assert.equal(headers['payment-response'] !== undefined, isPriced && status === 200);
}

async function countRows(app: TestApp): Promise<number> {
  const { rows } = await app.database.knex.raw<{ rows: { n: string }[] }>('SELECT count(*) AS n FROM payments');
  return Number(rows[0]?.n);
}

async function balanceOf(app: TestApp): Promise<bigint> {
  const { localRpcUrl, terms } = app.selling;
  assert.ok(localRpcUrl);
  return createChainClient({ rpcUrl: localRpcUrl }).readContract({
    address: terms.network.asset,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [terms.payTo],
  });
}
