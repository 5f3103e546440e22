import assert from 'node:assert/strict';
import { requirementsFor } from '../../../src/payments/terms.js';
import type { PaymentChanges } from '../../support/pay.js';
import { startMockFacilitator, type MockFacilitator } from '../../support/mock-facilitator.js';
import { openShop, payloadIn, type Shop } from '../shop.js';

const path = '/api/deals/hot';
const price = 20_000n;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const stranger = '0x00000000000000000000000000000000000e15e0';
const nowSeconds = (): bigint => BigInt(Math.floor(Date.now() / 1000));

type Json = Record<string, unknown>;
type Signed = { signature: string; authorization: Record<string, string> };

/** Changes what was signed, without signing it again. */
function inner(change: (signed: Signed) => object): PaymentChanges {
  return {
    alter: (payload) => ({
      ...payload,
      payload: { ...(payload['payload'] as Signed), ...change(payload['payload'] as Signed) },
    }),
  };
}
const field = (name: string, value: string) =>
  inner(({ authorization }) => ({ authorization: { ...authorization, [name]: value } }));
const signature = (change: (hex: string) => string) =>
  inner((signed) => ({ signature: `0x${change(signed.signature.slice(2))}` }));
const accepted = (changes: object): PaymentChanges => ({
  alter: (payload) => ({ ...payload, accepted: { ...(payload['accepted'] as Json), ...changes } }),
});
const reverse = (object: object): object => Object.fromEntries(Object.entries(object).reverse());
const hex64 = (value: bigint): string => value.toString(16).padStart(64, '0');
const flipped = (v: string): string => (v === '1b' ? '1c' : '1b');

interface Case {
  readonly what: string;
  readonly changes: () => PaymentChanges;
  readonly ours: boolean;
  /** Why the official scheme says otherwise, and why we do not follow. */
  readonly differs?: string;
}
const good = (what: string, changes: PaymentChanges | (() => PaymentChanges), differs?: string): Case => ({
  what,
  changes: typeof changes === 'function' ? changes : () => changes,
  ours: true,
  ...(differs ? { differs } : {}),
});
const bad = (what: string, changes: PaymentChanges | (() => PaymentChanges), differs?: string): Case => ({
  what,
  changes: typeof changes === 'function' ? changes : () => changes,
  ours: false,
  ...(differs ? { differs } : {}),
});

const cases: readonly Case[] = [
  good('as signed', {}),
  good('members in another order', {
    alter: (payload) => ({ ...reverse(payload), payload: reverse(payload['payload'] as object) }),
  }),
  good('members beside the protocol', { alter: (payload) => ({ ...payload, anything: { more: 1 } }) }),
  good(
    'a nonce in capitals',
    inner(({ authorization }) => ({
      authorization: { ...authorization, nonce: `0x${authorization['nonce']?.slice(2).toUpperCase()}` },
    })),
  ),
  good(
    'a signature in capitals',
    signature((hex) => hex.toUpperCase()),
  ),
  good(
    'v as 0 or 1',
    signature((hex) => hex.slice(0, 128) + (hex.endsWith('1b') ? '00' : '01')),
    'The official scheme hands v to the token as it came, which takes 27 and 28 only. Ours writes it so; nothing signed changes.',
  ),
  bad(
    'a high s',
    signature((hex) => hex.slice(0, 64) + hex64(order - BigInt(`0x${hex.slice(64, 128)}`)) + flipped(hex.slice(128))),
  ),
  bad(
    'a compact signature of 64 bytes',
    signature(
      (hex) => hex.slice(0, 64) + hex64(BigInt(`0x${hex.slice(64, 128)}`) + (hex.endsWith('1c') ? 1n << 255n : 0n)),
    ),
  ),
  bad(
    'r of zero',
    signature((hex) => '0'.repeat(64) + hex.slice(64)),
  ),
  bad(
    's of zero',
    signature((hex) => hex.slice(0, 64) + '0'.repeat(64) + hex.slice(128)),
  ),
  bad(
    'r as large as the order',
    signature((hex) => hex64(order) + hex.slice(64)),
  ),
  bad(
    'v of the other parity',
    signature((hex) => hex.slice(0, 128) + flipped(hex.slice(128))),
  ),
  bad(
    'v of 29',
    signature((hex) => `${hex.slice(0, 128)}1d`),
  ),
  bad(
    'a byte too many',
    signature((hex) => `${hex}00`),
  ),
  bad(
    'no signature',
    signature(() => ''),
  ),
  bad('another chain', accepted({ network: 'eip155:8453' })),
  bad('a signature for another chain', { domain: { chainId: 8453 } }),
  bad("a signature under another token's name", { domain: { name: 'USD Coin' } }),
  bad('a signature under another version', { domain: { version: '2' } }),
  bad('a signature for a look-alike token', { domain: { verifyingContract: `0x7e57${'0'.repeat(35)}2` } }),
  bad('one unit less', { value: price - 1n }),
  bad('one unit more', { value: price + 1n }),
  bad('twelve decimals more', { value: price * 10n ** 12n }),
  bad('all that 256 bits hold', { value: 2n ** 256n - 1n }),
  bad('a value that was not signed', field('value', '20001')),
  bad('another receiver', { to: stranger }),
  bad('a receiver that was not signed', field('to', stranger)),
  bad('another payer', field('from', stranger)),
  bad('a nonce that was not signed', field('nonce', `0x${'ab'.repeat(32)}`)),
  bad('a nonce of 31 bytes', field('nonce', `0x${'ab'.repeat(31)}`)),
  bad('a window that is over', () => ({ validBefore: nowSeconds() - 1n })),
  bad('a window that has hardly begun to end', () => ({ validBefore: nowSeconds() + 3n })),
  bad('a window that begins in a minute', () => ({ validAfter: nowSeconds() + 60n })),
  good('a window since ever', { validAfter: 0n }),
  good('a window of an hour', () => ({ validBefore: nowSeconds() + 3_600n })),
  bad(
    'a window of a day',
    () => ({ validBefore: nowSeconds() + 86_400n }),
    'The official scheme has no upper bound. Ours keeps a claim from staying open for much longer than an hour.',
  ),
  bad(
    'a window for ever',
    { validBefore: 2n ** 256n - 1n },
    'The same: an authorization that never expires is never known to be unpaid.',
  ),
];

describe('our verdict and that of the official scheme', () => {
  let shop: Shop;
  let official: MockFacilitator;

  before(async () => {
    shop = await openShop();
    official = await startMockFacilitator(shop.chain);
  });
  afterEach(() => shop.mend());
  after(async () => {
    await official.stop();
    await shop.close();
  });

  /** Nothing is settled: a payment that reaches the settlement was found good. */
  async function isGoodHere(header: string): Promise<boolean> {
    let reached = false;
    shop.faults.settler.settle = async () => {
      reached = true;
      return { outcome: 'failed', reason: 'unexpected_settle_error', detail: 'only the verdict counts' };
    };
    await shop.pay(path, header);
    return reached;
  }

  async function isGoodThere(header: string): Promise<boolean> {
    const paymentRequirements = requirementsFor(shop.app.selling.terms, price);
    const reply = await fetch(`${official.url}/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ x402Version: 2, paymentPayload: payloadIn(header), paymentRequirements }),
    });
    return reply.ok && ((await reply.json()) as { isValid: boolean }).isValid;
  }

  for (const { what, changes, ours, differs } of cases) {
    it(`${differs === undefined ? 'are the same' : 'differ on purpose'} for ${what}: ${ours ? 'good' : 'refused'} here`, async () => {
      const header = await shop.sign(path, changes());
      assert.equal(await isGoodHere(header), ours);
      assert.equal(await isGoodThere(header), differs === undefined ? ours : !ours, differs);
    });
  }
});
