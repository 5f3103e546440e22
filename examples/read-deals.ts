import { absence, createDealsClient, decimal } from 'multifamily-deals-feed';
import { createFileStorage } from 'multifamily-deals-feed/file-storage';
import { privateKeyToAccount } from 'viem/accounts';

const { BASE_URL = 'http://127.0.0.1:4021', PRIVATE_KEY = '', PAYMENTS_DIR = './payments' } = process.env;
const client = createDealsClient({
  baseUrl: BASE_URL,
  account: privateKeyToAccount(PRIVATE_KEY as `0x${string}`),
  maxPricePerCall: '0.10',
  budget: { perHour: '1.00', perDay: '5.00' },
  storage: createFileStorage(PAYMENTS_DIR),
});
for await (const deal of client.deals.all({ state: 'OH' })) {
  const perUnit = decimal(deal.list_price)?.div(deal.units ?? 1);
  console.log(deal.address, perUnit?.toFixed(0), deal.dscr ?? absence(deal, 'dscr')?.reason);
}
