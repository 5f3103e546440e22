// Reads the free metadata, buys the hot deals, and buys the report of the best one if the daily budget allows it.
import { createDealsClient, NotApprovedError, NothingFoundError } from 'multifamily-deals-feed';
import { createFileStorage } from 'multifamily-deals-feed/file-storage';
import { privateKeyToAccount } from 'viem/accounts';

const {
  BASE_URL = 'http://127.0.0.1:4021',
  PRIVATE_KEY = '',
  PAYMENTS_DIR = './payments',
  PER_DAY = '2.00',
} = process.env;
const client = createDealsClient({
  baseUrl: BASE_URL,
  account: privateKeyToAccount(PRIVATE_KEY as `0x${string}`),
  maxPricePerCall: '1.50',
  budget: { perDay: PER_DAY },
  storage: createFileStorage(PAYMENTS_DIR),
});
const { data: meta } = await client.meta();
console.log(`${meta.coverage.hot} of ${meta.coverage.active_records} deals are hot.`);
try {
  const { data: hot } = await client.hotDeals();
  const [best] = hot.toSorted((a, b) => b.deal_score - a.deal_score);
  if (best !== undefined) {
    const { data: report } = await client.report({ id: best.id });
    const { low, high } = report.offer_range ?? {};
    console.log(`${best.address}, ${best.city}: asks ${best.list_price}, offer ${low} to ${high}.`);
  }
} catch (error) {
  if (!(error instanceof NotApprovedError || error instanceof NothingFoundError)) throw error;
  console.log(error.message); // the daily budget is spent, or no deal is hot
}
console.log(`Spent $${(await client.spending()).lastDay} today.`);
