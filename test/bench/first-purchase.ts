import { privateKeyToAccount } from 'viem/accounts';
import { createDealsClient } from '../../src/client/entry.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { startRemote } from './load.js';
import { median } from './median.js';
import { atMost, type Report } from './report.js';

const purchases = 9;

/**
 * Measures how an agent buys for the first time that knows the address alone: it reads what there is, asks for the hot
 * deals, and pays, on a local chain that mines at once. The first purchase is also the first that the server makes.
 */
export async function measureFirstPurchase(report: Report): Promise<void> {
  const server = await startRemote('ours on a chain');
  const took: { readonly requests: number; readonly ms: number }[] = [];
  for (let index = 0; index < purchases; index++) took.push(await buyFirst(server.url));
  await server.stop();
  const [{ requests, ms } = { requests: NaN, ms: NaN }] = took;
  report.title('first purchase from the address alone');
  report.figure({ name: 'first purchase: requests', value: requests, unit: '', goal: atMost(3) });
  report.figure({ name: 'first purchase: at a server that has sold nothing yet', value: ms, unit: 'ms' });
  report.figure({
    name: 'first purchase: later',
    value: median(took.map((each) => each.ms)),
    unit: 'ms',
    goal: atMost(100),
  });
}

async function buyFirst(baseUrl: string) {
  let requests = 0;
  const counting: typeof fetch = (input, init) => {
    requests += 1;
    return fetch(input, init);
  };
  const startedAt = performance.now();
  const client = createDealsClient({ baseUrl, account: privateKeyToAccount(buyer.privateKey), fetch: counting });
  await client.meta();
  const { paid } = await client.hotDeals();
  const ms = performance.now() - startedAt;
  if (paid?.transaction === undefined) throw new Error('Nothing was bought');
  return { requests, ms };
}
