import assert from 'node:assert/strict';
import { ExactEvmScheme } from '@x402/evm';
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig, type x402ClientConfig } from '@x402/fetch';
import {
  extractReceiptFromResponse,
  isEIP712SignedReceipt,
  verifyReceiptSignatureEIP712,
} from '@x402/extensions/offer-receipt';
import { privateKeyToAccount } from 'viem/accounts';
import { createChainClient } from '../../src/payments/chain/clients.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { networks } from '../../src/wire/networks.js';
import { tokenAbi } from '../../src/payments/chain/token-abi.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';
import { startSepoliaApp, type SepoliaApp } from '../support/sepolia-app.js';

/** The official client with a fetch that records its traffic. */
function officialClient(config: x402ClientConfig) {
  const requests: Request[] = [];
  const fetchAndRemember: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(request.clone());
    return fetch(request);
  };
  return { requests, fetch: wrapFetchWithPaymentFromConfig(fetchAndRemember, config) };
}

const signatures = (requests: readonly Request[]) =>
  requests.flatMap(({ headers }) => headers.get('PAYMENT-SIGNATURE') ?? []);

/** One purchase as seen by the client and the chain, with what was signed. */
async function assertOneCharge(
  client: ReturnType<typeof officialClient>,
  url: string,
  price: bigint,
  balances: () => Promise<{ payer: bigint; payTo: bigint }>,
  network: string,
): Promise<unknown[]> {
  const before = await balances();
  const reply = await client.fetch(url);
  const text = await reply.text();
  assert.equal(reply.status, 200, text);
  const after = await balances();
  assert.deepEqual([before.payer - after.payer, after.payTo - before.payTo], [price, price]);
  assert.equal(client.requests.length, 2, 'asks once, pays once');
  assert.equal(signatures(client.requests).length, 1);
  const receipt = decodePaymentResponseHeader(reply.headers.get('PAYMENT-RESPONSE') ?? '');
  assert.deepEqual([receipt.success, receipt.network, receipt.amount], [true, network, price.toString()]);
  assert.match(receipt.transaction, /^0x[0-9a-f]{64}$/);
  const body: unknown = JSON.parse(text);
  assert.ok(Array.isArray(body));
  return body;
}

describe('the official client on the demonstration', () => {
  let app: SharedApp;
  const local = networks.find(({ isLocal }) => isLocal);
  const account = privateKeyToAccount(buyer.privateKey);
  const schemes: x402ClientConfig['schemes'] = [{ network: 'eip155:*', client: new ExactEvmScheme(account) }];
  const spendControls = { allowedAssets: [{ network: 'eip155:31337' as const, asset: local?.asset ?? '' }] };

  before(async () => {
    app = await shareApp();
  });

  function balances() {
    const client = createChainClient({ rpcUrl: app.selling.localRpcUrl ?? '' });
    const { network, payTo } = app.selling.terms;
    const balanceOf = (address: Hex) =>
      client.readContract({ address: network.asset, abi: tokenAbi, functionName: 'balanceOf', args: [address] });
    return readBalances(balanceOf, buyer.address, payTo);
  }

  it('buys once configured with the local token, one call for one charge of exactly the price', async () => {
    const client = officialClient({ schemes, spendControls });
    const deals = await assertOneCharge(
      client,
      `${app.url}/api/deals?state=OH&limit=3`,
      50_000n,
      balances,
      'eip155:31337',
    );
    assert.equal(deals.length, 3);
  });

  it('refuses the local token by default, and nothing is charged', async () => {
    const before = await balances();
    const client = officialClient({ schemes });
    await assert.rejects(client.fetch(`${app.url}/api/deals/hot`), /spendControls/);
    assert.deepEqual(signatures(client.requests), []);
    assert.deepEqual(await balances(), before);
  });

  it('gets a 404 and is not charged when nothing matches', async () => {
    const before = await balances();
    const client = officialClient({ schemes, spendControls });
    const reply = await client.fetch(`${app.url}/api/deals?state=OH&min_price=2&max_price=1`);
    const problem: unknown = await reply.json();
    assert.equal(reply.status, 404);
    assert.deepEqual(
      [Reflect.get(Object(problem), 'reason'), Reflect.get(Object(problem), 'billed')],
      ['no_records_match', false],
    );
    assert.equal(signatures(client.requests).length, 1, 'it did present a payment');
    assert.deepEqual(await balances(), before);
  });
});

describe('the unmodified official client on Base Sepolia', () => {
  let shop: SepoliaApp;
  const publicBaseUrl = 'https://deals.example';

  before(async () => {
    shop = await startSepoliaApp(publicBaseUrl);
  });
  after(() => shop?.stop());

  const balances = () => shop.balances();
  const unmodified = () =>
    officialClient({ schemes: [{ network: 'eip155:84532', client: new ExactEvmScheme(shop.payer) }] });

  for (const [path, price] of [
    ['/api/deals?state=OH', 50_000n],
    ['/api/deals/hot', 20_000n],
    ['/api/deals/basic', 10_000n],
  ] as const) {
    it(`buys ${path}: one call, one charge, and balances that change by exactly the price`, async () => {
      const deals = await assertOneCharge(unmodified(), shop.app.url + path, price, balances, 'eip155:84532');
      assert.deepEqual(
        deals.map((deal) => Reflect.get(Object(deal), 'address')),
        ['100 Example Ave'],
      );
    });
  }

  it('is charged once for any number of presentations of its signature', async () => {
    const client = unmodified();
    const url = `${shop.app.url}/api/deals`;
    await assertOneCharge(client, url, 50_000n, balances, 'eip155:84532');
    const [signature = ''] = signatures(client.requests);
    const before = await balances();
    for (const path of ['/api/deals', '/api/deals?state=OH', '/api/deals/hot']) {
      const replay = await fetch(shop.app.url + path, { headers: { 'PAYMENT-SIGNATURE': signature } });
      await replay.arrayBuffer();
      assert.equal(replay.status, 402, path);
    }
    assert.deepEqual(await balances(), before);
  });

  it('gets a receipt signed by the configured key, for the public address of what was asked', async () => {
    const reply = await unmodified().fetch(`${shop.app.url}/api/deals?state=OH`);
    await reply.arrayBuffer();
    const receipt = extractReceiptFromResponse(reply);
    assert.ok(receipt && isEIP712SignedReceipt(receipt));
    const { signer, payload } = await verifyReceiptSignatureEIP712(receipt);
    assert.equal(signer, shop.receiptSigner);
    assert.deepEqual(
      [payload.resourceUrl, payload.payer],
      [`${publicBaseUrl}/api/deals?state=OH`, shop.payer.address.toLowerCase()],
    );
  });

  it('gets a challenge that names the public address of the service', async () => {
    const client = unmodified();
    await (await client.fetch(`${shop.app.url}/api/deals/basic`)).arrayBuffer();
    const [signature = ''] = signatures(client.requests);
    const payload: unknown = JSON.parse(Buffer.from(signature, 'base64').toString());
    const resource: unknown = Reflect.get(Object(payload), 'resource');
    assert.equal(Reflect.get(Object(resource), 'url'), `${publicBaseUrl}/api/deals/basic`);
  });
});

async function readBalances(balanceOf: (address: Hex) => Promise<bigint>, payer: Hex, payTo: Hex) {
  return { payer: await balanceOf(payer), payTo: await balanceOf(payTo) };
}
