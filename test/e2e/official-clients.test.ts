import assert from 'node:assert/strict';
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import axios, { AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import type { PrivateKeyAccount } from 'viem/accounts';
import { wrapAxiosWithPaymentFromConfig as wrapOlderAxios } from 'x402-axios-older';
import { ExactEvmScheme as ExactEvmScheme211 } from 'x402-evm-2-11';
import { ExactEvmScheme as ExactEvmScheme22 } from 'x402-evm-2-2';
import { wrapFetchWithPaymentFromConfig as wrapOlderFetch } from 'x402-fetch-older';
import type { Authorization } from '../../src/payments/chain/eip3009.js';
import { findNetwork } from '../../src/wire/networks.js';
import type { Attempt, SettleOutcome, Settler } from '../../src/payments/settlement/settler.js';
import { startSepoliaApp, type SepoliaApp } from '../support/sepolia-app.js';
import { startWireTap, type Forward, type WireTap } from '../support/wire-tap.js';

/** The result for a client's caller. */
interface Reply {
  readonly status: number;
  readonly text: string;
  readonly receipt: string | null;
}

const network = 'eip155:84532';

/** Each version as its documentation shows it, with the scheme of its release. */
const clients: Readonly<Record<string, (account: PrivateKeyAccount) => (url: string) => Promise<Reply>>> = {
  '@x402/fetch 2.27': (account) =>
    throughFetch(
      wrapFetchWithPaymentFromConfig(fetch, { schemes: [{ network, client: new ExactEvmScheme(account) }] }),
    ),
  '@x402/fetch 2.11': (account) =>
    throughFetch(wrapOlderFetch(fetch, { schemes: [{ network, client: new ExactEvmScheme211(account) }] })),
  '@x402/axios 2.11': (account) =>
    throughAxios(
      wrapAxiosWithPaymentFromConfig(axios.create(), {
        schemes: [{ network, client: new ExactEvmScheme211(account) }],
      }),
    ),
  '@x402/axios 2.2': (account) =>
    throughAxios(
      wrapOlderAxios(axios.create(), {
        schemes: [{ network, client: new ExactEvmScheme22(account) }],
        // npm installs the newest @x402/core, which needs the token in its options when a scheme is too old to declare
        // it.
        spendControls: { allowedAssets: [{ network, asset: findNetwork(network)?.asset ?? '' }] },
      }),
    ),
};

const path = '/api/deals/hot';
const price = 20_000n;

describe('the official clients, unmodified, on Base Sepolia', () => {
  let shop: SepoliaApp;
  let settler: Settler;
  let settle: Settler['settle'] | undefined;
  const taps: WireTap[] = [];

  before(async () => {
    shop = await startSepoliaApp('https://deals.example', {
      // What settles changes with the key that the process holds.
      settler: (real) => ({
        ...(settler = real),
        verify: (...given) => real.verify(...given),
        settle: (...given) => (settle ?? real.settle)(...given),
      }),
    });
  });
  afterEach(async () => {
    settle = undefined;
    for (const tap of taps.splice(0)) await tap.close();
  });
  after(() => shop?.stop());

  async function tapInto(forward?: Forward): Promise<WireTap> {
    const tap = await startWireTap(shop.app.url, forward);
    taps.push(tap);
    return tap;
  }

  async function assertPaidOnce(work: () => Promise<void>): Promise<void> {
    const before = await shop.balances();
    await work();
    const after = await shop.balances();
    assert.deepEqual([before.payer - after.payer, after.payTo - before.payTo], [price, price]);
  }

  for (const [name, createClient] of Object.entries(clients)) {
    it(`${name} buys, gets the data, and reads the settlement`, async () => {
      const tap = await tapInto();
      await assertPaidOnce(async () => {
        const reply = await createClient(shop.payer)(tap.url + path);
        assert.equal(reply.status, 200, reply.text);
        assert.match(reply.text, /100 Example Ave/);
        const receipt = decodePaymentResponseHeader(reply.receipt ?? '');
        assert.deepEqual([receipt.success, receipt.network], [true, network]);
        assert.match(receipt.transaction, /^0x[0-9a-f]{64}$/);
      });
      assert.equal(tap.signatures.length, 1);
    });

    it(`${name} returns an unknown outcome to its caller and does not pay again; the same payment then gets its data`, async () => {
      const tap = await tapInto();
      settle = async (authorization, attempt) => loseAnswer(await settler.settle(authorization, attempt));
      await assertPaidOnce(async () => {
        const reply = await createClient(shop.payer)(tap.url + path);
        assert.equal(reply.status, 503, reply.text);
        assert.equal(tap.signatures.length, 1);
        const headers = { 'PAYMENT-SIGNATURE': tap.signatures[0] ?? '' };
        const again = await fetch(shop.app.url + path, { headers });
        assert.equal(again.status, 200);
        assert.match(await again.text(), /100 Example Ave/);
      });
    });

    it(`${name} returns a 409 to its caller and does not pay again when the network sends its payment twice`, async () => {
      const gate = holdSettlement((each, attempt) => settler.settle(each, attempt));
      settle = gate.settle;
      let first: Promise<Response> | undefined;
      const tap = await tapInto(async (send, isPaid) => {
        if (!isPaid) return send();
        first = send();
        await gate.reached;
        return send();
      });
      await assertPaidOnce(async () => {
        const reply = await createClient(shop.payer)(tap.url + path);
        assert.equal(reply.status, 409, reply.text);
        assert.equal(tap.signatures.length, 1);
        gate.open();
        assert.equal((await first)?.status, 200);
      });
    });
  }
});

function throughFetch(client: typeof fetch) {
  return async (url: string): Promise<Reply> => {
    const reply = await client(url);
    return { status: reply.status, text: await reply.text(), receipt: reply.headers.get('PAYMENT-RESPONSE') };
  };
}

/** axios throws for every status other than 2xx. */
function throughAxios(client: AxiosInstance) {
  return async (url: string): Promise<Reply> => {
    const reply: AxiosResponse = await client.get(url).catch((error: unknown) => {
      if (error instanceof AxiosError && error.response) return error.response;
      throw error;
    });
    const receipt: unknown = reply.headers['payment-response'];
    return {
      status: reply.status,
      text: JSON.stringify(reply.data),
      receipt: typeof receipt === 'string' ? receipt : null,
    };
  };
}

/** The settlement happened, but its reply was lost. */
function loseAnswer({ outcome }: SettleOutcome): SettleOutcome {
  assert.equal(outcome, 'settled');
  return { outcome: 'unknown', detail: 'the answer was lost' };
}

/** Blocks a settlement once it is reached, until it is released. */
function holdSettlement(settle: Settler['settle']) {
  let open = (): void => undefined;
  let reach = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return {
    reached,
    open: () => open(),
    async settle(authorization: Authorization, attempt: Attempt) {
      reach();
      await opened;
      return settle(authorization, attempt);
    },
  };
}
