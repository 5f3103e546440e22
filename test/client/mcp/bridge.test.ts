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
      args: [findProjectFile('dist/bin/deals-feed.js'), 'mcp', ...args],
      env: { BASE_URL: baseUrl, PATH: process.env['PATH'] ?? '' },
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
  });
  after(async () => {
    await client.close();
    await shop.close();
  });

  async function call(name: string, given: Record<string, unknown> = {}) {
    const { isError, content } = await client.callTool({ name, arguments: given });
    const [text] = content;
    assert.ok(text?.type === 'text');
    return { isError: isError === true, text: text.text, content: JSON.parse(text.text) as Content };
  }

  const countSold = async (): Promise<number> => (await shop.app.database.knex('payments')).length;

  it('has the tools of the server, and states its limits', async () => {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'deals'));
    const instructions = client.getInstructions() ?? '';
    assert.match(instructions, /^Calls are paid for you, up to \$0\.10 each and \$0\.11 in all\./);
    assert.match(instructions, /Only results are billed/);
    assert.doesNotMatch(JSON.stringify(tools) + instructions, /\bsign(ed|ing|ature)?\b|_meta|x402/i);
    assert.ok(instructions.length <= 1_200);
  });

  it('forwards resources', async () => {
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === 'feed:llms'));
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
    assert.equal((await client.readResource({ uri: 'feed:schema/deals' })).contents.length, 1);
  });

  it('forwards free tools', async () => {
    const { content } = await call('meta');
    assert.ok('guarantee' in content);
    assert.equal(await countSold(), 0);
  });

  it('signs nothing for faulty arguments', async () => {
    const { content, text, isError } = await call('deals', { stat: 'OH' });
    assert.ok(isError && content.errors?.length === 1);
    assert.ok(text.length < 600 && content.billed === false);
    assert.equal(await countSold(), 0);
  });

  it('signs nothing above the limit of one call', async () => {
    const [deal] = shop.app.feeds.deals.current().records;
    const { content, text } = await call('report', { id: deal?.id });
    assert.equal(content.reason, 'price_above_limit');
    assert.doesNotMatch(text, /\bsigned\b/);
    assert.equal(await countSold(), 0);
  });

  it('spends nothing on a call without matches', async () => {
    assert.equal((await call('deals', { state: 'OH', min_price: 999_999_999 })).content.reason, 'no_records_match');
    assert.equal(await countSold(), 0);
  });

  it('pays for calls until the budget is used up, and lets the rest of their replies be read', async () => {
    const first = await call('deals');
    assert.equal(first.isError, false, JSON.stringify(first.content));
    const { receipt } = first.content;
    const { payment_id, token } = receipt ?? {};
    assert.ok((await call('payment_reply', { payment_id, token, part: '/0' })).content.data);
    assert.equal((await call('deals')).content.reason, 'budget_exceeded');
    assert.equal((await call('basic_deals')).isError, false);
    assert.equal((await call('basic_deals')).content.reason, 'budget_exceeded');
    assert.equal(await countSold(), 2);
  });
});
