import assert from 'node:assert/strict';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { BasicDeal } from '../../generated/types.gen.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { openShop, payloadIn, type Shop } from '../payments/shop.js';
import { buy } from '../support/pay.js';
import { assertToolPaid, connectAgent, type Agent } from '../transport/mcp/agent.js';

/** The official scheme as some clients use it: it signs an hour ahead, whatever is announced. */
class HourLongScheme extends ExactEvmScheme {
  override createPaymentPayload(...[version, requirements]: Parameters<ExactEvmScheme['createPaymentPayload']>) {
    return super.createPaymentPayload(version, { ...requirements, maxTimeoutSeconds: 3_600 });
  }
}

const products = [
  ['listDeals', 'deals', '/api/deals'],
  ['listHotDeals', 'hot_deals', '/api/deals/hot'],
  ['listBasicDeals', 'basic_deals', '/api/deals/basic'],
  ['getReport', 'report', '/api/deals/{id}/report'],
  ['listSignals', 'signals', '/api/signals'],
  ['listAuctions', 'auctions', '/api/auctions'],
  ['listEvents', 'events', '/api/events'],
  ['listLeads', 'leads', '/api/leads'],
  ['buyExclusiveLead', 'exclusive_lead', '/api/leads/exclusive'],
  ['lookUpAddress', 'lookup', '/api/lookup?address={address}'],
] as const;

describe('a signer with a window of an hour', () => {
  let shop: Shop;
  let agent: Agent;
  let client: x402Client;
  let address: string;

  before(async () => {
    shop = await openShop();
    agent = await connectAgent(shop.app.url);
    const { network } = shop.app.selling.terms;
    client = x402Client.fromConfig({
      schemes: [{ network: 'eip155:*', client: new HourLongScheme(privateKeyToAccount(buyer.privateKey)) }],
      spendControls: { allowedAssets: [{ network: 'eip155:31337', asset: network.asset }] },
    });
    const [first] = (await (await buy(`${shop.app.url}/api/deals/basic?limit=1`)).json()) as BasicDeal[];
    address = `${first?.address}, ${first?.city}, ${first?.state} ${first?.zip}`;
  });
  after(async () => {
    await agent?.close();
    await shop?.close();
  });

  const deal = () => shop.app.feeds.deals.current().records.at(0) ?? assert.fail('nothing is for sale');

  for (const [operation, tool, path] of products) {
    it(`buys ${operation} over HTTP and MCP`, async () => {
      const filled = path.replace('{id}', deal().id).replace('{address}', encodeURIComponent(address));
      const sent: string[] = [];
      const recorded: typeof fetch = async (input, init) => {
        const request = new Request(input, init);
        sent.push(...(request.headers.get('PAYMENT-SIGNATURE') ?? '').split(',').filter(Boolean));
        return fetch(request);
      };
      const reply = await wrapFetchWithPayment(recorded, client)(shop.app.url + filled);
      assert.equal(reply.status, 200, await reply.text());
      const [header = ''] = sent;
      const secondsLeft = Number(payloadIn(header).payload.authorization.validBefore) - Date.now() / 1000;
      assert.ok(secondsLeft > 3_500, `${secondsLeft}`);

      const given = operation === 'getReport' ? { id: deal().id } : operation === 'lookUpAddress' ? { address } : {};
      const offer = (await agent.call(tool, given)).content as unknown as PaymentRequired;
      assertToolPaid(await agent.call(tool, given, await client.createPaymentPayload(offer)));
    });
  }
});
