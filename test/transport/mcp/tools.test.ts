import assert from 'node:assert/strict';
import { parsePaymentRequired } from '@x402/core/schemas';
import { validateDiscoveryExtension, type DiscoveryExtension } from '@x402/extensions/bazaar';
import type { Coverage } from '../../../generated/types.gen.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { shareApp, type SharedApp } from '../../support/shared-app.js';
import type { Table } from '../../../src/transport/mcp/summaries.js';
import { askPrice } from '../../support/pay.js';
import { livePath } from '../../support/live-path.js';
import { assertToolRefused, connectAgent, eras, type Agent, type Arguments } from './agent.js';

const contract = loadContract();
const read = ['payment_id', 'token', 'part', 'from', 'page'];
const sold = contract.operations.filter(({ priceUsd, tool }) => priceUsd !== undefined && tool !== undefined);

for (const era of eras) {
  describe(`the tools, ${era === 'legacy' ? 'with a handshake' : 'with an envelope'}`, () => {
    let app: SharedApp;
    let agent: Agent;
    before(async () => {
      app = await shareApp();
      agent = await connectAgent(app.url, era);
    });
    after(async () => {
      await agent.close();
    });

    /** The required arguments of a tool. */
    function argumentsOf(path: string): Arguments {
      const url = new URL(livePath(app, path), app.url);
      const [, id] = /^\/api\/deals\/([^/]+)\/report$/.exec(url.pathname) ?? [];
      return { ...Object.fromEntries(url.searchParams), ...(id !== undefined && { id }) };
    }

    it('are the data operations of the contract, each with its price, its parameters and its hints', () => {
      const named = contract.operations.filter(({ tool }) => tool !== undefined);
      assert.deepEqual(
        agent.tools.map(({ name }) => name),
        named.map(({ tool }) => tool?.name),
      );
      for (const { tool, priceUsd, parameters, operationId } of named) {
        const listed = agent.tools.find(({ name }) => name === tool?.name);
        assert.ok(listed?.description && tool, operationId);
        assert.equal(listed.description, `${priceUsd === undefined ? 'Free' : `$${priceUsd}`}. ${tool.description}`);
        assert.match(tool.description, /^[A-Z][^]{20,}\.$/);
        assert.ok(listed.description.length <= 120, listed.description);
        const all = parameters.filter((each) => each.in !== 'header').map(({ name }) => name);
        const own = Object.keys(listed.inputSchema.properties ?? {});
        assert.deepEqual(own, { countMatches: ['of', 'filters'], getPaymentResponse: read }[operationId] ?? all);
        assert.equal(listed.annotations?.readOnlyHint === true, operationId !== 'buyExclusiveLead');
        assert.equal(listed.outputSchema, undefined, 'the contract has the schemas of replies');
      }
    });

    it('fit into the context of a model at its start', () => {
      const { tools } = agent;
      assert.ok(JSON.stringify({ tools }).length <= 12_000, String(JSON.stringify({ tools }).length));
      const instructions = agent.client.getInstructions() ?? '';
      assert.ok(instructions.length > 500 && instructions.length <= 1_200, String(instructions.length));
    });

    it('have the documents and the schemas of their replies beside them, as resources', async () => {
      const { resources } = await agent.client.listResources();
      assert.deepEqual(
        resources.map(({ uri }) => uri),
        ['feed:meta', 'feed:coverage', 'feed:llms'],
      );
      const { resourceTemplates } = await agent.client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['feed:schema/{name}'],
      );
      const readText = async (uri: string) =>
        Reflect.get((await agent.client.readResource({ uri })).contents[0] ?? {}, 'text') as string;
      for (const { uri, mimeType } of resources) {
        const text = await readText(uri);
        assert.ok(mimeType === 'text/plain' ? text.startsWith('# ') : JSON.parse(text), uri);
      }
      for (const { name } of agent.tools) {
        const schema = JSON.parse(await readText(`feed:schema/${name}`)) as { components: { schemas: object } };
        for (const [, each = ''] of JSON.stringify(schema).matchAll(/schemas\/(\w+)"/g))
          assert.ok(each in schema.components.schemas, `${name} ${each}`);
      }
      for (const uri of ['feed:schema/no_such_tool', 'feed:nothing', 'file:///etc/passwd'])
        await assert.rejects(agent.client.readResource({ uri }), /no resource/);
    });

    it('say in short what is sold, and in full without samples', async () => {
      const { content } = await agent.call('meta');
      assert.ok(JSON.stringify(content).length <= 3_000, String(JSON.stringify(content).length));
      const { content: full } = await agent.call('meta', { view: 'full' });
      assert.ok('rules' in full && !('free_samples' in full) && full.left_out === undefined);
    });

    it('return free replies at once', async () => {
      const { content } = await agent.call('meta');
      assert.equal(Reflect.get(content, 'name'), contract.document.info.title);
      for (const [name, given] of [
        ['coverage', {}],
        ['count', { of: 'deals' }],
      ] as const)
        assert.equal((await agent.call(name, given)).isError, false, name);
    });

    it('tell which counties are read, in words that the description explains, and as of when in the resource it names', async () => {
      const { description = '' } = agent.tools.find(({ name }) => name === 'coverage') ?? {};
      const { columns, rows } = (await agent.call('coverage', { feed: 'deals' })).content as unknown as Table;
      assert.deepEqual([columns, rows.length > 10], [['state', 'county', 'feeds'], true]);
      for (const [, , { deals }] of rows as readonly (readonly [string, string, { deals: string }])[])
        assert.match(description, new RegExp(`\\b${deals}\\b`));
      const [uri = ''] = /feed:\w+/.exec(description) ?? [];
      const { contents } = await agent.client.readResource({ uri });
      const { counties } = JSON.parse(Reflect.get(contents[0] ?? {}, 'text') as string) as Coverage;
      for (const { county, feeds } of counties)
        assert.equal(typeof feeds.deals?.as_of, feeds.deals === undefined ? 'undefined' : 'string', county);
    });

    it("ask for payment by x402's MCP transport, at the HTTP price", async () => {
      for (const { tool, path } of sold) {
        const { content, isError } = await agent.call(tool?.name ?? '', argumentsOf(path));
        assert.ok(isError);
        const { success, data } = parsePaymentRequired(content);
        assert.ok(success && data.x402Version === 2, path);
        assert.equal(data.resource.url, `mcp://tool/${tool?.name}`);
        assert.deepEqual(data.accepts, (await askPrice(app.url + livePath(app, path))).accepts);
        assert.ok(validateDiscoveryExtension(content.extensions?.['bazaar'] as DiscoveryExtension).valid, path);
      }
    });

    it('name the faulty arguments and nothing else, before anybody pays: a mistake is not a bill', async () => {
      const { content } = await agent.call('deals', { min_units: 'four', stat: 'OH', city: null });
      assert.deepEqual(Object.keys(content), ['reason', 'errors', 'billed']);
      const named = content.errors?.map(({ parameter, nearest }) => [parameter, nearest]).sort();
      assert.deepEqual(named, [
        ['min_units', undefined],
        ['stat', 'state'],
      ]);
    });

    it('count what a tool would sell, by the arguments of that tool', async () => {
      const filters = { state: 'OH', min_units: 2 };
      const { content } = await agent.call('count', { of: 'deals', filters });
      assert.deepEqual(Reflect.get(content, 'counted_with'), { state: ['OH'], min_units: 2 });
      for (const given of [
        { of: 'deals', filters: 'OH' },
        { of: 'deals', filters: ['OH'] },
      ])
        assertToolRefused(await agent.call('count', given), 'invalid_parameter');
      assertToolRefused(await agent.call('count', { of: 'deals', state: 'OH', filters }), 'invalid_parameter');
    });

    it('refuse arguments that no parameter can hold', async () => {
      for (const given of [{ city: ['Cleveland'] }, { city: { is: 'Cleveland' } }, { city: '\ud800' }])
        assertToolRefused(await agent.call('deals', given), 'invalid_parameter');
      for (const given of [{ part: 3 }, { from: -1 }])
        assertToolRefused(await agent.call('payment_reply', given), 'invalid_parameter');
    });

    it('refuse an invalid deal id before a payment, and reveal deal ids to nobody else', async () => {
      assertToolRefused(await agent.call('report', { id: '{id}' }), 'placeholder_not_replaced');
      assertToolRefused(await agent.call('report'), 'invalid_deal_id');
      const unknown = { id: '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11' };
      assertToolRefused(await agent.call('report', unknown), 'payment_required');
    });

    it('are known only by their names', async () => {
      await assert.rejects(agent.client.callTool({ name: 'no_such_tool' }), /no tool no_such_tool/);
    });
  });
}
