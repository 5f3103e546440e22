// Writes all deals to a CSV file: one payment, then the further pages free. A failed run leaves the earlier file, and
// the next run gets what this one has paid for.
import { rename, writeFile } from 'node:fs/promises';
import { createDealsClient, renderCsv, type Deal } from 'multifamily-deals-feed';
import { createFileStorage } from 'multifamily-deals-feed/file-storage';
import { privateKeyToAccount } from 'viem/accounts';

const { BASE_URL = 'http://127.0.0.1:4021', PRIVATE_KEY = '', PAYMENTS_DIR = './payments' } = process.env;
const [file = 'deals.csv'] = process.argv.slice(2);
const client = createDealsClient({
  baseUrl: BASE_URL,
  account: privateKeyToAccount(PRIVATE_KEY as `0x${string}`),
  budget: { perDay: '0.20' },
  storage: createFileStorage(PAYMENTS_DIR),
});
const deals: Deal[] = [];
const onProgress = ({ received, total }: { received: number; total: number }) =>
  process.stderr.write(`${received} of ${total}\n`);
for await (const deal of client.deals.all({}, { onProgress })) deals.push(deal);
await writeFile(`${file}.new`, renderCsv(deals));
await rename(`${file}.new`, file);
