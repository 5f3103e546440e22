// Underwrites the deals of one state with your own assumption: at which price does the NOI yield the wanted cap rate?
import { compareDecimals, createDealsClient, decimal } from 'multifamily-deals-feed';
import { createFileStorage } from 'multifamily-deals-feed/file-storage';
import { privateKeyToAccount } from 'viem/accounts';

const { BASE_URL = 'http://127.0.0.1:4021', PRIVATE_KEY = '', PAYMENTS_DIR = './payments' } = process.env;
const [state = 'OH', wantedCapPct = '9'] = process.argv.slice(2);
const client = createDealsClient({
  baseUrl: BASE_URL,
  account: privateKeyToAccount(PRIVATE_KEY as `0x${string}`),
  storage: createFileStorage(PAYMENTS_DIR),
});
const { data: deals } = await client.deals({ state, limit: 100 });
const priced = deals.flatMap(({ address, list_price, noi_underwritten }) => {
  const worth = decimal(noi_underwritten)?.div(wantedCapPct).times(100);
  const asked = decimal(list_price);
  return worth && asked
    ? [{ address, asked, worth, upsidePct: worth.minus(asked).div(asked).times(100).toFixed(1) }]
    : [];
});
for (const { address, asked, worth, upsidePct } of priced.sort((a, b) => compareDecimals(b.upsidePct, a.upsidePct)))
  console.log(`${address}: asks ${asked.toFixed(0)}, worth ${worth.toFixed(0)} (${upsidePct} % over)`);
