import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Auction, Deal, Lead, LookupMatch, Lookup, Signal } from '../../generated/types.gen.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';
import { ask } from '../support/raw-http.js';
import { filteredLists, today, type FilteredList, type Query } from './filtered-lists.js';
import { generatedCounts, parcelOfDeal, publishGenerated } from './generated-records.js';
import { hostileTexts } from './hostile-texts.js';
import { sortRecords } from './sorted-lists.js';
import { createPlainLookup } from './plain-lookup.js';
import { deep, sliceOf } from '../support/depth.js';

const numRuns = deep(150, 12);
/** Noon in every county. */
const noon = Date.parse(`${today}T18:00:00.000Z`);
const started = Date.now();
let passedMs = 0;
const nowMs = (): number => noon + passedMs + Date.now() - started;

const contract = loadContract();
const operations = contract.operations.filter(
  ({ priceUsd, parameters }) => priceUsd !== undefined && parameters.some(isFilter),
);

describe('every filter of every paid operation, compared with a reference filter on generated records', () => {
  let app: TestApp;
  let settler: InstantSettler;
  let sold = 0;
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler, withData: false, now: () => new Date(nowMs()) });
    await publishGenerated(app);
  });
  after(() => app.stop());

  it('the filtered records are exactly the generated ones, each once, in the order of its feed', async () => {
    const deals = (await readAll('listDeals')) as Deal[];
    const signals = (await readAll('listSignals')) as Signal[];
    const auctions = (await readAll('listAuctions')) as Auction[];
    const leads = (await readAll('listLeads')) as Lead[];
    const counts = { deals: deals.length, signals: signals.length, auctions: auctions.length };
    assert.deepEqual(counts, generatedCounts);
    assert.deepEqual(idsOf(leads).sort(), [...leadIds(deals, signals, auctions)].sort());
    for (const [operationId, all] of Object.entries({
      listDeals: deals,
      listSignals: signals,
      listAuctions: auctions,
      listLeads: leads,
    })) {
      assert.equal(new Set(idsOf(all)).size, all.length, operationId);
      const { compare } = filteredLists[operationId] ?? assert.fail(operationId);
      const sorted = [...all].sort((one, other) => compare(one as never, other as never));
      assert.deepEqual(idsOf(all), idsOf(sorted), operationId);
    }
    assert.deepEqual(idsOf(await readAll('listBasicDeals')), idsOf(deals));
    const hot = deals.filter(({ cap_rate: cap, dscr_status: dscr }) => Number(cap ?? 0) >= 8.5 && dscr === 'computed');
    assert.ok(hot.length > 0 && hot.length < deals.length);
    assert.deepEqual(idsOf(await readAll('listHotDeals')), idsOf(hot));
  });

  for (const { operationId, path, placeholder } of [
    { operationId: 'getReport', path: '/api/deals/{}/report', placeholder: 'id' },
    { operationId: 'getPage', path: '/api/pages/{}', placeholder: 'token' },
    { operationId: 'getPayment', path: '/api/payments/{}', placeholder: 'payment_id' },
    { operationId: 'countChanges', path: '/api/changes?since={}', placeholder: 'since' },
  ])
    it(`${operationId}, ${placeholder}: ${hostileTexts.length} hostile texts get a declared answer, and buy nothing`, async () => {
      const { replies, priceUsd } =
        contract.operations.find((each) => each.operationId === operationId) ?? assert.fail(operationId);
      const [deal] = await readAll('listDeals');
      const report = `${app.url}/api/deals/${deal?.id ?? ''}/report`;
      const headers = priceUsd === undefined ? {} : { 'PAYMENT-SIGNATURE': await signNow(await askPrice(report)) };
      const settled = settler.settled.length;
      for (const text of hostileTexts) {
        const { status, body } = await ask(
          app.url,
          path.replace('{}', () => encodeURIComponent(text)),
          { headers },
        );
        assert.ok(replies.has(status) && status < 500, `${status} for ${JSON.stringify(text)}: ${body.toString()}`);
        assert.notEqual(status, 200, text);
      }
      assert.equal(settler.settled.length, settled);
      if (priceUsd === undefined) return;
      assert.equal((await fetch(report, { headers })).status, 200, 'the payment was good all the time');
      sold++;
    });

  for (const { operationId, path, parameters } of operations) {
    const list = filteredLists[operationId];
    const names = parameters.filter(isFilter).map(({ name }) => name);

    describe(operationId, () => {
      let send: (query: Query) => Promise<Answer>;
      let all: readonly { readonly id: string }[] = [];
      before(async () => {
        const buy = await createBuyer(app, path, operationId === 'lookUpAddress' ? example : {});
        send = async (query) => {
          const answer = await buy(query);
          if (answer.status === 200) sold++;
          if (answer.status === 200 && operationId === 'buyExclusiveLead') await releaseLeads();
          return answer;
        };
        if (list !== undefined) all = await readAll(list.listedBy ?? operationId);
      });

      /** Asserts the same rows in the same order as a plain loop; 404 when it returns none. */
      function assertRows(wanted: FilteredList, query: Query, { status, text }: Answer): number {
        const { read, matches, most } = wanted;
        const expected = sortRecords(all, wanted, query)
          .filter((record) => matches(record as never, query))
          .slice(0, Number(most ?? query['limit'] ?? all.length))
          .map(({ id }) => id);
        assert.equal(status, expected.length > 0 ? 200 : 404, `${JSON.stringify(query)} ${text.slice(0, 300)}`);
        assert.deepEqual(status === 200 ? read(JSON.parse(text)).map(({ id }) => id) : [], expected);
        return expected.length;
      }

      const sendAndAssert = async (wanted: FilteredList, query: Query) => assertRows(wanted, query, await send(query));

      if (list !== undefined) {
        it('tests every filter', () => {
          assert.deepEqual(Object.keys(list.values).sort(), names.toSorted());
        });

        it('each alone, at its bounds, in any case and script', async () => {
          // In an ordinary test run, what takes the filters of another list tries each third.
          for (const [name, values] of sliceOf(Object.entries(list.values), list.listedBy === undefined ? 1 : 3)) {
            let hits = 0;
            for (const value of new Set(fc.sample(values, { numRuns: deep(60, 8) })))
              hits += await sendAndAssert(list, { ...list.needs[name], [name]: value });
            assert.ok(hits > 0, `no generated record has what ${name} asks for: say it in generated-records.ts`);
          }
        });

        if (names.length > 1)
          it('several together, combined with AND', async () => {
            const some = fc.subarray(Object.keys(list.values), {
              minLength: 2,
              maxLength: 5,
            });
            const queries = some.chain((drawn) =>
              fc.record(Object.fromEntries(drawn.map((name) => [name, list.values[name] ?? fc.constant('')]))),
            );
            let hits = 0;
            const property = fc.asyncProperty(queries, async (query) => {
              const needed = Object.keys(query).map((name) => list.needs[name] ?? {});
              // A past status with include_past=false is a fault.
              const past = 'sale_status' in query ? { include_past: 'true' } : {};
              if ((await sendAndAssert(list, Object.assign({}, ...needed, query, past) as Query)) > 0) hits++;
            });
            await fc.assert(property, { numRuns });
            assert.ok(hits > numRuns / 10 && hits < numRuns, `${hits} of ${numRuns} queries matched`);
          });
      }

      if (operationId === 'lookUpAddress')
        it('returns the records that the matcher finds among all published ones, for any spelling of an address', async () => {
          const deals = (await readAll('listDeals')) as Deal[];
          const lookUpPlainly = createPlainLookup({
            deal: deals,
            signal: (await readAll('listSignals')) as Signal[],
            auction: (await readAll('listAuctions')) as Auction[],
          });
          const counts = { matches: 0, byParcel: 0, possible: 0, none: 0 };
          for (const address of questionsAbout(deals)) {
            const { status, text } = await send({ address });
            const expected = lookUpPlainly(address);
            if (expected === undefined) {
              assert.equal(status, 400, address);
              continue;
            }
            assert.equal(status, expected.matches.length + expected.possible.length > 0 ? 200 : 404, address);
            const { matches = [], possible_matches: possible = [] } = JSON.parse(text) as Partial<Lookup>;
            const told = { matches: matches.map(nameOf), possible: possible.map(nameOf) };
            assert.deepEqual(told, expected, address);
            if (told.matches.length > 0) counts.matches++;
            if (matches.some((each) => each.match_type === 'parcel_exact')) counts.byParcel++;
            if (told.possible.length > 0) counts.possible++;
            if (status === 404) counts.none++;
          }
          for (const [kind, count] of Object.entries(counts)) assert.ok(count > deep(10, 3), `${kind}: ${count}`);
        });

      for (const [place, name] of names.entries())
        it(`${name}: hostile texts are refused or match what they say, and break nothing`, async () => {
          const statuses = new Map<number, number>();
          // In an ordinary test run each is tried at some of the filters.
          const texts = hostileTexts.filter((_, index) => deep(true, index % 4 === place % 4));
          for (const text of texts) {
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

  async function readAll(operationId: string): Promise<readonly { readonly id: string }[]> {
    const { whole, read } = filteredLists[operationId] ?? assert.fail(operationId);
    const buy = await createBuyer(app, operations.find((each) => each.operationId === operationId)?.path ?? '', {});
    const { status, text } = await buy(whole);
    assert.equal(status, 200, text);
    sold++;
    return read(JSON.parse(text));
  }

  /** Ends all holds, and waits out the second for which the service caches them. */
  async function releaseLeads(): Promise<void> {
    await app.database.knex('lead_holds').delete();
    passedMs += 1_000;
  }

  after(() => assert.equal(settler.settled.length, sold, 'charged is what was sold, and nothing else'));

  it('every paid operation with filters is tested; the lookup of an address and events have their own tests', () => {
    const tried = [...Object.keys(filteredLists), 'lookUpAddress', 'listEvents'];
    for (const { operationId } of operations)
      assert.ok(tried.includes(operationId), `say in filtered-lists.ts: ${operationId}`);
  });
});

const nameOf = ({ entity, id }: LookupMatch): string => `${entity} ${id}`;

/** Addresses of deals and county records as people write them: exact, abbreviated, and slightly wrong. */
function questionsAbout(deals: readonly Deal[]): readonly string[] {
  // By id: the order of the feed changes with its rules.
  const places = deals
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .filter((_, index) => index % deep(8, 29) === 0)
    .map(({ address, city, state, zip }) => [address ?? '', city, state, zip ?? ''] as const);
  return [...places, ['100 Example Ave', 'Cleveland', 'OH', '44105'] as const].flatMap(([street, city, state, zip]) => [
    `${street}, ${city}, ${state} ${zip}`,
    `${street}, ${city}, ${state}`,
    `${street.toLowerCase()}, ${state} ${zip}`,
    `${street.replace(/ (St|Ave)$/, '')}, ${city}, ${state} ${zip}`,
    `${street.replace(/ (St|Ave)$/, ' Blvd')}, ${city}, ${state} ${zip}`,
    `${street} Apt 2, ${city}, ${state} ${zip}`,
    `${street.replace('Main', 'Maine')}, ${city}, ${state} ${zip}`,
    `1${street}, ${city}, ${state} ${zip}`,
  ]);
}

const example: Query = { address: '1 Main St, Cleveland, OH 44105' };

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends paid requests. A request that is not sold leaves its payment for the next one. */
async function createBuyer({ url }: TestApp, path: string, valid: Query): Promise<(query: Query) => Promise<Answer>> {
  const at = (query: Query): string => {
    const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
  };
  const challenge: ChallengeBody = await askPrice(url + at(valid));
  let payment = await signNow(challenge);
  return async (query) => {
    const { status, body } = await ask(url, at(query), { headers: { 'PAYMENT-SIGNATURE': payment } });
    if (status === 200) payment = await signNow(challenge);
    return { status, text: body.toString() };
  };
}

/** Signs by the clock of the service. */
function signNow(challenge: ChallengeBody): Promise<string> {
  const nowSeconds = BigInt(Math.floor(nowMs() / 1000));
  return signPayment(challenge, { validAfter: nowSeconds - 600n, validBefore: nowSeconds + 340n });
}

/**
 * The ids of today's leads, in no order: upcoming sales, debts with a street, and deals with a debt on their parcel.
 */
function leadIds(deals: readonly Deal[], signals: readonly Signal[], auctions: readonly Auction[]): readonly string[] {
  const isToCome = filteredLists['listAuctions']?.matches ?? assert.fail();
  const indebted = new Set(signals.map(({ county, parcel_id: parcel }) => `${county} ${parcel}`));
  return [
    ...auctions.filter((auction) => auction.property_address !== null && isToCome(auction as never, {})),
    ...signals.filter(({ address }) => address !== null),
    ...deals.filter((deal) => indebted.has(parcelOfDeal(deal) ?? '')),
  ].map(({ id }) => id);
}

function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}

function isFilter({ in: place }: { readonly in: string }): boolean {
  return place === 'query';
}
