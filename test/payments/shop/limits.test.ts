import assert from 'node:assert/strict';
import { loadContract } from '../../../src/contract/load-contract.js';
import { encodePayment } from '../../support/pay.js';
import { newAccount } from '../../support/wallets.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { assertAskedToSignIn, signIn } from '../sign-in.js';

const path = '/api/deals/hot';
const nothing = '/api/deals?state=OH&min_price=999999999';
const unpaidPerMinute = 8;
const unbilledPerMinute = 3;

describe('the limits of one caller', () => {
  let shop: Shop;
  let host = 0;

  before(async () => {
    shop = await openShop({
      environment: {
        TRUSTED_PROXIES: 'loopback',
        UNPAID_CALLS_PER_MINUTE: `${unpaidPerMinute}`,
        UNBILLED_CALLS_PER_MINUTE: `${unbilledPerMinute}`,
        PAID_CALLS_PER_PAYER: '4',
      },
    });
    // Prices are asked once and kept, from an address that no test uses.
    for (const each of [path, '/api/deals']) await shop.sign(each);
  });
  beforeEach(() => (host += 1));
  afterEach(() => shop.mend());
  after(() => shop.close());

  /** From the address of a test, as the trusted proxy of this machine names it. */
  function call(target: string, header?: string, forwarded = `192.0.2.${host}`): Promise<Answer> {
    return shop.pay(target, header, { headers: { 'X-Forwarded-For': forwarded } });
  }

  async function callMany(count: number, target: string, header?: string, forwarded?: string): Promise<number[]> {
    const statuses: number[] = [];
    for (let each = 0; each < count; each++) statuses.push((await call(target, header, forwarded)).status);
    return statuses;
  }

  function assertLimited(answer: Answer, policy: string): void {
    assertRefused(answer, 429, 'rate_limited');
    const { headers } = answer;
    const wait = Number(headers.get('Retry-After'));
    assert.ok(Number.isInteger(wait) && wait >= 1);
    assert.match(headers.get('RateLimit-Policy') ?? '', new RegExp(`^"${policy}";q=\\d+;w=60$`));
    assert.equal(headers.get('RateLimit'), `"${policy}";r=0;t=${wait}`);
    const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ') ?? [];
    for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy']) assert.ok(exposed.includes(name), name);
  }

  it('are one for all that is unpaid, free documents and wrong addresses too; probes and other addresses go on', async () => {
    for (const target of [path, '/api/meta', '/nowhere', '/llms.txt', path, '/api/deals/ids', path, path])
      assert.notEqual((await call(target)).status, 429);
    for (const target of [path, '/api/meta', '/nowhere']) assertLimited(await call(target), 'unpaid');
    assert.deepEqual(await callMany(2 * unpaidPerMinute, '/healthz'), Array(2 * unpaidPerMinute).fill(200));
    assert.equal((await call(path, undefined, `198.51.100.${host}`)).status, 402);
    shop.advance(60);
    assert.equal((await call(path)).status, 402);
  });

  it('go by no clock that can be set: hours or days, forth or back, nobody gains a call or waits longer', async () => {
    await callMany(unpaidPerMinute, path);
    for (const hours of [1, -1, 72, -72]) {
      shop.setClock(hours * 3_600);
      const answer = await call(path);
      assertLimited(answer, 'unpaid');
      assert.ok(Number(answer.headers.get('Retry-After')) <= 60);
    }
    shop.advance(60);
    assert.equal((await call(path)).status, 402);
  });

  it('are not escaped with headers that look like payments, nor with addresses of one IPv6 network', async () => {
    assert.deepEqual(await callMany(unpaidPerMinute, path, 'AAAA'), Array(unpaidPerMinute).fill(400));
    assertLimited(await call(path, 'AAAA'), 'unpaid');
    assertLimited(await call('/api/meta', 'AAAA'), 'unpaid');
    for (let each = 0; each < unpaidPerMinute; each++) await call(path, undefined, `2001:db8:${host}::${each}`);
    assertLimited(await call(path, undefined, `2001:db8:${host}::ffff:1`), 'unpaid');
  });

  it('are not escaped where the payment is not even looked at: a path or a media type that is refused', async () => {
    const placeholder = '/api/deals/x/report';
    assert.deepEqual(await callMany(unpaidPerMinute - 1, placeholder, 'AAAA'), Array(unpaidPerMinute - 1).fill(400));
    const text = (header: string) =>
      shop.pay(path, header, { headers: { 'X-Forwarded-For': `192.0.2.${host}`, Accept: 'text/csv' } });
    assert.equal((await text('AAAA')).status, 406);
    assertLimited(await text('AAAA'), 'unpaid');
    assertLimited(await call(placeholder, 'AAAA'), 'unpaid');
  });

  it('are not escaped by naming another address before the one that the proxy has seen', async () => {
    for (let each = 0; each < unpaidPerMinute; each++)
      await call(path, undefined, `203.0.113.${each}, 192.0.2.${host}`);
    assertLimited(await call(path, undefined, `203.0.113.99, 192.0.2.${host}`), 'unpaid');
  });

  it('let a buyer pay from an address whose unpaid calls are used up', async () => {
    await callMany(unpaidPerMinute + 1, path);
    assertPaid(await call(path, await shop.sign(path)));
  });

  it('end a flood of queries that match nothing, before the chain is asked and the handler runs', async () => {
    const signer = newAccount();
    await shop.chain.fund(signer.address);
    const header = await shop.sign('/api/deals', { signer });
    assert.deepEqual(await callMany(unbilledPerMinute, nothing, header), Array(unbilledPerMinute).fill(404));
    const runs = shop.handlerRuns();
    shop.faults.settler.verify = () => assert.fail('the chain must not be asked');
    const answer = await call(nothing, header, `198.51.100.${host}`);
    assertLimited(answer, 'unbilled');
    assert.equal(answer.problem?.payment, 'not_settled');
    assert.equal(shop.handlerRuns(), runs);
    shop.faults.settler = {};
    assertPaid(await call(path, await shop.sign(path)));
    shop.advance(30);
    assertPaid(await call('/api/deals?state=OH', header));
  });

  it('never keep from a buyer what was paid for', async () => {
    const signer = newAccount();
    await shop.chain.fund(signer.address);
    const [header, wasted] = [await shop.sign(path, { signer }), await shop.sign('/api/deals', { signer })];
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.real.settler.settle(authorization, attempt);
      return { outcome: 'unknown', detail: 'the answer was lost' };
    };
    assertRefused(await call(path, header), 503, 'settlement_unknown');
    shop.faults.settler = {};
    await callMany(unbilledPerMinute, nothing, wasted);
    await callMany(unpaidPerMinute + 1, path);
    assertLimited(await call(nothing, wasted), 'unbilled');
    assertPaid(await call(path, header));
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('count for nobody else: signatures that are public take none of their payer’s calls', async () => {
    const signer = newAccount();
    await shop.chain.fund(signer.address);
    const spent = await shop.sign(path, { signer });
    assertPaid(await call(path, spent));
    const statuses = await callMany(4 * unbilledPerMinute, path, spent, `198.51.100.${host}`);
    assert.deepEqual(statuses, Array(4 * unbilledPerMinute).fill(402));
    assertPaid(await call(path, await shop.sign(path, { signer })));
  });

  it('count what somebody else has sent for whoever replays it, with a proof that is none or broken', async () => {
    const signer = newAccount();
    await shop.chain.fund(signer.address);
    const header = await shop.sign(path, { signer });
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    const stranger = { 'X-Forwarded-For': `198.51.100.${host}` };
    const replay = (proof: object) => shop.pay(path, header, { headers: { ...stranger, ...proof } });
    for (const proof of [{}, { 'SIGN-IN-WITH-X': 'AAAA' }, { 'SIGN-IN-WITH-X': encodePayment({}) }]) {
      const { status, problem } = await replay(proof);
      assert.ok(status === 400 || status === 402);
      assert.equal(problem?.payment, 'unknown');
    }
    assertLimited(await replay({}), 'unbilled');
    const challenge = assertAskedToSignIn(await call(path, header));
    const proof = await signIn(challenge, { signer });
    const headers = { 'X-Forwarded-For': `192.0.2.${host}`, 'SIGN-IN-WITH-X': proof };
    assertPaid(await shop.pay(path, header, { headers }));
  });

  it('hold for calls at once: the payment that had to wait is unused and buys afterwards', async () => {
    const signer = newAccount();
    await shop.chain.fund(signer.address);
    const headers = await Promise.all(Array.from({ length: 5 }, () => shop.sign(path, { signer })));
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let running = 0;
    const filled = new Promise<void>((resolve) => {
      shop.faults.settler.verify = async (...question) => {
        if (++running === 4) resolve();
        await opened;
        return shop.real.settler.verify(...question);
      };
    });
    const [last = '', ...first] = headers;
    const answers = first.map((header) => call(path, header));
    await filled;
    const answer = await call(path, last);
    assertRefused(answer, 429, 'rate_limited');
    assert.ok(answer.headers.has('Retry-After'));
    open();
    for (const each of await Promise.all(answers)) assertPaid(each);
    assertPaid(await call(path, last));
  });

  it('are declared for every operation', () => {
    for (const { operationId, replies } of loadContract().operations)
      assert.ok(replies.get(429)?.has('application/problem+json'), operationId);
  });
});
