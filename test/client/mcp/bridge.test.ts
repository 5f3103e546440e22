import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findProjectFile } from '../../../src/project-file.js';
import { openShop, type Shop } from '../../payments/shop.js';
import type { Content } from '../../transport/mcp/agent.js';

/** The bridge as a client starts it: a separate process, over its standard input and output. */
async function startBridge(baseUrl: string, ...args: string[]): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [findProjectFile('dist/bin/deals-feed-mcp.js'), ...args],
      env: { BASE_URL: baseUrl, PATH: process.env['PATH'] ?? '', TEST_RUN: process.env['TEST_RUN'] ?? '' },
      stderr: 'pipe',
    }),
  );
  return client;
}

describe('the bridge over stdio', () => {
  let shop: Shop;
  let client: Client;
  before(async () => {
    shop = await openShop();
    client = await startBridge(shop.app.url, '--budget', '0.11');
    // From now on every result is validated against its tool's schema.
    await client.listTools();
  });
  after(async () => {
    await client.close();
    await shop.close();
  });

  async function call(name: string, given: Record<string, unknown> = {}) {
    const { isError, structuredContent } = await client.callTool({ name, arguments: given });
    return { isError: isError === true, content: structuredContent as Content };
  }

  const countSold = async (): Promise<number> => (await shop.app.database.knex('payments')).length;

  it('has the tools of the server, and states its limits', async () => {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'deals'));
    assert.match(client.getInstructions() ?? '', /up to \$0\.10 a call and \$0\.11 in all/);
  });

  it('forwards free tools', async () => {
    const { content } = await call('meta');
    assert.ok(content.data);
    assert.equal(await countSold(), 0);
  });

  it('signs nothing for faulty arguments', async () => {
    const { content, isError } = await call('deals', { stat: 'OH' });
    assert.ok(isError && content.errors?.length === 1);
    assert.equal(await countSold(), 0);
  });

  it('signs nothing above the limit of one call', async () => {
    const [deal] = shop.app.feeds.deals.current().records;
    const { content } = await call('report', { id: deal?.id });
    assert.equal(content.reason, 'price_above_limit');
    assert.equal(await countSold(), 0);
  });

  it('spends nothing on a call without matches', async () => {
    assert.equal((await call('deals', { state: 'OH', min_price: 999_999_999 })).content.reason, 'no_records_match');
    assert.equal(await countSold(), 0);
  });

  it('pays for calls until the budget is used up, and lets the rest of their replies be read', async () => {
    const first = await call('deals');
    assert.equal(first.isError, false, JSON.stringify(first.content));
    const { rest } = first.content;
    assert.ok(rest);
    assert.ok((await call(rest.tool, { ...rest.arguments, part: '/0' })).content.data);
    assert.equal((await call('deals')).content.reason, 'budget_exceeded');
    assert.equal((await call('basic_deals')).isError, false);
    assert.equal((await call('basic_deals')).content.reason, 'budget_exceeded');
    assert.equal(await countSold(), 2);
  });
});
