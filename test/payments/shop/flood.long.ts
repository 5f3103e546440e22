import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { PaymentPayload } from '../../../src/payments/gate/read-payment.js';
import { encodePayment } from '../../support/pay.js';
import { assertPaid } from '../answer.js';
import { openShop, payloadIn, type Shop } from '../shop.js';
import { deep } from '../../support/depth.js';

const path = '/api/deals/hot';
const floodSize = deep(10_000, 400);
const walletChecksPerMinute = 20;

/** Bytes that look random and are the same in every run. */
function bytes(seed: number, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${seed} ${block}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

describe('a flood of worthless payments', () => {
  let shop: Shop;
  let good: string;
  let payload: PaymentPayload;
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });

  before(async () => {
    const environment = { TRUSTED_PROXIES: 'loopback', WALLET_CHECKS_PER_MINUTE: `${walletChecksPerMinute}` };
    shop = await openShop({ environment, looksOnce: true });
    good = await shop.sign(path);
    payload = payloadIn(good);
  });
  after(async () => {
    agent.destroy();
    await shop.close();
  });

  /** Each header from an address of its own, so that no limit of one address helps. */
  function send(header: string, seed: number): Promise<number | undefined> {
    const forwarded = `10.${seed >> 16}.${(seed >> 8) & 255}.${seed & 255}`;
    return new Promise((resolve, reject) => {
      const headers = { 'PAYMENT-SIGNATURE': header, 'X-Forwarded-For': forwarded };
      const sent = request(shop.app.url + path, { agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end();
    });
  }

  /** How often each status came, and what the flood has cost behind the gate. */
  async function flood(headerOf: (seed: number) => string) {
    const cost = { statements: 0, calls: 0, settler: 0, ms: 0 };
    const own: string[] = [];
    const methodOf = (input: unknown, body: unknown): string | undefined =>
      String(input).startsWith(shop.chain.rpcUrl) ? (JSON.parse(String(body)) as { method: string }).method : undefined;
    const realFetch = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      const method = methodOf(input, init?.body);
      if (method === 'eth_call') cost.calls += 1;
      // A call wakes the local chain.
      else if (method !== undefined && method !== 'anvil_mine') own.push(method);
      return realFetch(input, init);
    };
    // Instances that share a PostgreSQL ask each second what is published, what was taken down, and which leads are
    // held.
    const isOwn = (sql: string): boolean => /feed_versions|suppressions|from sources|lead_holds/.test(sql);
    const onQuery = ({ sql }: { sql: string }): void => void (cost.statements += isOwn(sql) ? 0 : 1);
    shop.faults.ledger.find = (key) => {
      cost.statements += 1;
      return shop.real.ledger.find(key);
    };
    shop.faults.settler.verify = async () => {
      cost.settler += 1;
      return { verdict: 'unavailable', by: 'chain', detail: 'nobody should ask' };
    };
    shop.app.database.knex.on('query', onQuery);
    const statuses = new Map<number | undefined, number>();
    const startedAt = Date.now();
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < floodSize) {
        const seed = next++;
        const status = await send(headerOf(seed), seed);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker)).finally(() => (globalThis.fetch = realFetch));
    cost.ms = Date.now() - startedAt;
    shop.app.database.knex.off('query', onQuery);
    shop.mend();
    assert.deepEqual(own, [], 'the chain is asked nothing else');
    return { statuses, cost };
  }

  it(`asks neither the database nor the chain about ${floodSize} malformed headers`, async () => {
    const text = JSON.stringify(payload);
    const { statuses, cost } = await flood((seed) => {
      const noise = bytes(seed, 40);
      const shapes = [
        noise.toString('hex').slice(seed % 3),
        noise.toString('base64'),
        Buffer.from(text.slice(0, noise.readUInt16BE(0) % text.length)).toString('base64'),
        encodePayment({ ...payload, payload: { ...payload.payload, authorization: noise.toString('hex') } }),
        encodePayment(noise.toJSON().data),
      ];
      return shapes[seed % shapes.length] ?? '';
    });
    assert.deepEqual([...statuses.keys()].sort(), [400, 402]);
    const { statements, calls, settler } = cost;
    assert.deepEqual({ statements, calls, settler }, { statements: 0, calls: 0, settler: 0 });
  });

  it(`asks the chain about ${floodSize} badly signed payments no oftener than the lane allows, the database never`, async () => {
    const { statuses, cost } = await flood((seed) => {
      const v = seed % 2 === 0 ? '1b' : '1c';
      const { payload: signed } = payload;
      const changed =
        seed % 3 === 0
          ? { ...signed, signature: `0x${bytes(seed, 64).toString('hex')}${v}` }
          : { ...signed, authorization: { ...signed.authorization, nonce: `0x${bytes(seed, 32).toString('hex')}` } };
      return encodePayment({ ...payload, payload: changed });
    });
    assert.deepEqual([...statuses], [[402, floodSize]]);
    assert.deepEqual({ statements: cost.statements, settler: cost.settler }, { statements: 0, settler: 0 });
    const allowed = walletChecksPerMinute + Math.ceil((cost.ms / 60_000) * walletChecksPerMinute);
    assert.ok(cost.calls >= walletChecksPerMinute && cost.calls <= allowed, `${cost.calls} calls in ${cost.ms} ms`);
  });

  it('leaves the server as it was: the next good payment buys', async () => {
    assertPaid(await shop.pay(path, good));
  });
});
