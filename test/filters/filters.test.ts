import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadContract } from '../../src/contract/load-contract.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';
import { ask } from '../support/raw-http.js';
import { filteredLists, today, type FilteredList, type Query } from './filtered-lists.js';
import { publishGenerated } from './generated-records.js';
import { hostileTexts } from './hostile-texts.js';

const seed = 20261122;
const numRuns = 150;
/** Midday in every county. */
const noon = Date.parse(`${today}T18:00:00.000Z`);
const started = Date.now();
const nowMs = (): number => noon + Date.now() - started;

const operations = loadContract().operations.filter(
  ({ priceUsd, parameters }) => priceUsd !== undefined && parameters.some(isFilter),
);

describe('every filter of every paid operation, against a plain reading of generated records', () => {
  let app: TestApp;
  let settler: InstantSettler;
  let sold = 0;
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({
      settler,
      withData: false,
      now: () => new Date(nowMs()),
    });
    await publishGenerated(app);
  });
  after(() => app.stop());

  for (const { operationId, path, parameters } of operations) {
    const list = filteredLists[operationId];
    const texts = parameters.filter((each) => isFilter(each) && each.type === 'string').map(({ name }) => name);

    describe(operationId, () => {
      let send: (query: Query) => Promise<Answer>;
      let all: readonly { readonly id: string }[] = [];
      before(async () => {
        const buy = await createBuyer(app, path, operationId === 'lookUpAddress' ? example : {});
        send = async (query) => {
          const answer = await buy(query);
          if (answer.status === 200) sold++;
          return answer;
        };
        if (list !== undefined) all = await listAll(list);
      });

      async function listAll({ whole, read }: FilteredList): Promise<typeof all> {
        const { status, text } = await send(whole);
        assert.equal(status, 200, text);
        return read(JSON.parse(text));
      }

      /** The same rows in the same order as a plain loop over all of them gives; 404 where that gives none. */
      function assertRows({ read, matches }: FilteredList, query: Query, { status, text }: Answer): number {
        const expected = all.filter((record) => matches(record as never, query)).map(({ id }) => id);
        assert.equal(status, expected.length > 0 ? 200 : 404, `${JSON.stringify(query)} ${text.slice(0, 300)}`);
        assert.deepEqual(status === 200 ? read(JSON.parse(text)).map(({ id }) => id) : [], expected);
        return expected.length;
      }

      if (list !== undefined) {
        it('has every filter tried', () => {
          assert.deepEqual(
            Object.keys(list.values).sort(),
            parameters
              .filter(isFilter)
              .map(({ name }) => name)
              .sort(),
          );
        });

        it('each by itself, at its bounds, in any case and script', async () => {
          for (const [name, values] of Object.entries(list.values)) {
            for (const value of new Set(fc.sample(values, { seed, numRuns: 60 })))
              assertRows(list, { [name]: value }, await send({ [name]: value }));
          }
        });

        it('several at once, combined with AND', async () => {
          const names = fc.subarray(Object.keys(list.values), { minLength: 2, maxLength: 3 });
          const queries = names.chain((some) =>
            fc.record(Object.fromEntries(some.map((name) => [name, list.values[name] ?? fc.constant('')]))),
          );
          let hits = 0;
          const property = fc.asyncProperty(queries, async (query) => {
            if (assertRows(list, query, await send(query)) > 0) hits++;
          });
          await fc.assert(property, { seed, numRuns });
          assert.ok(hits > numRuns / 10 && hits < numRuns, `${hits} of ${numRuns} queries matched`);
        });
      }

      for (const name of texts)
        it(`${name}: ${hostileTexts.length} hostile texts are refused or match what they say, and break nothing`, async () => {
          const statuses = new Map<number, number>();
          for (const text of hostileTexts) {
            const answer = await send({ [name]: text });
            const { status } = answer;
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            assert.ok([200, 400, 404].includes(status), `${status} for ${JSON.stringify(text)}`);
            if (status !== 400 && list !== undefined) assertRows(list, { [name]: text }, answer);
          }
          assert.ok((statuses.get(400) ?? 0) > 0, JSON.stringify([...statuses]));
        });
    });
  }

  after(() => assert.equal(settler.settled.length, sold, 'charged is what was sold, and nothing else'));

  it('every paid operation with filters is tried, the lookup of an address and what is sold once aside', () => {
    const tried = [...Object.keys(filteredLists), 'lookUpAddress', 'buyExclusiveLead'];
    for (const { operationId } of operations)
      assert.ok(tried.includes(operationId), `say in filtered-lists.ts: ${operationId}`);
  });
});

const example: Query = { address: '1 Main St, Cleveland, OH 44105' };

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends paid requests. What is not sold leaves its payment unused, which then goes with the next one. */
async function createBuyer({ url }: TestApp, path: string, valid: Query): Promise<(query: Query) => Promise<Answer>> {
  const at = (query: Query): string => {
    const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
  };
  const challenge: ChallengeBody = await askPrice(url + at(valid));
  const sign = (): Promise<string> => {
    const nowSeconds = BigInt(Math.floor(nowMs() / 1000));
    return signPayment(challenge, { validAfter: nowSeconds - 600n, validBefore: nowSeconds + 340n });
  };
  let payment = await sign();
  return async (query) => {
    const { status, body } = await ask(url, at(query), { headers: { 'PAYMENT-SIGNATURE': payment } });
    if (status === 200) payment = await sign();
    return { status, text: body.toString() };
  };
}

function isFilter({ in: place, name }: { readonly in: string; readonly name: string }): boolean {
  return place === 'query' && name !== 'limit';
}
