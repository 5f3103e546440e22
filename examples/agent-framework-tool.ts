// A tool for the Vercel AI SDK: the model chooses the search, the client pays for it, and the answer uses the records.
// MODEL is a model name of the AI gateway; its key is AI_GATEWAY_API_KEY.
import { generateText, stepCountIs, tool } from 'ai';
import { createDealsClient } from 'multifamily-deals-feed';
import { createFileStorage } from 'multifamily-deals-feed/file-storage';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';

const { BASE_URL = 'http://127.0.0.1:4021', PRIVATE_KEY = '', PAYMENTS_DIR = './payments', MODEL = '' } = process.env;
const [prompt = 'Which deal in Ohio with a cap rate of 8 % or more is the best, and why?'] = process.argv.slice(2);
const client = createDealsClient({
  baseUrl: BASE_URL,
  account: privateKeyToAccount(PRIVATE_KEY as `0x${string}`),
  budget: { perDay: '1.00' },
  storage: createFileStorage(PAYMENTS_DIR),
});
const quote = await client.price('deals');
const searchDeals = tool({
  description: `Small multifamily properties for sale in one state, the best first. A search costs $${quote?.price}.`,
  inputSchema: z.object({
    state: z.string().describe('Two-letter code, such as OH'),
    min_cap: z.number().describe('Lowest advertised cap rate, percent'),
  }),
  execute: async (wanted) => {
    const { data: deals } = await client.deals({ ...wanted, limit: 10 });
    return deals.map(({ address, city, list_price, deal_score, why_this_is_interesting }) => {
      return { address, city, list_price, deal_score, why_this_is_interesting };
    });
  },
});
const { text } = await generateText({ model: MODEL, tools: { searchDeals }, stopWhen: stepCountIs(5), prompt });
console.log(text);
console.log(`Spent $${(await client.spending()).lastDay} today.`);
