import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { loadContract } from '../../src/contract/load-contract.js';
import { OperatorError, reasons } from '../../src/errors.js';
import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import { isNode, propertiesOf, walkNodes, type SchemaNode } from './schema-nodes.js';

const contract = loadContract();
const { document, operations } = contract;

/** What is sold: one schema, or one of each view. */
interface SoldSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly { readonly $ref?: string }[];
}

describe('the contract', () => {
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'contract-'))));
  after(() => rmSync(directory, { recursive: true }));

  /** Loads the contract after a change to one operation, as a server would at its start. */
  function loadChanged(path: string, change: (operation: Record<string, unknown>) => void) {
    const copy = load(contract.text) as { paths: Record<string, { get: Record<string, unknown> }> };
    const operation = copy.paths[path]?.get;
    assert.ok(operation);
    change(operation);
    const file = join(directory, 'openapi.yaml');
    writeFileSync(file, dump(copy));
    return () => loadContract(file);
  }

  it('has what every paid operation sells given again to whoever paid', () => {
    const { schemas, responses } = document['components'] as Record<string, Record<string, SchemaNode>>;
    const given = new Set((schemas?.['BoughtReply']?.['anyOf'] as { $ref: string }[]).map(({ $ref }) => $ref));
    const sold = operations.filter(({ priceUsd }) => priceUsd !== undefined);
    assert.ok(sold.length > 7);
    for (const { operationId, path } of sold) {
      const paths = document['paths'] as Record<string, { get: { responses: Record<string, { $ref: string }> } }>;
      const name = paths[path]?.get.responses['200']?.$ref.split('/').at(-1) ?? '';
      const { content } = responses?.[name] as { content: Record<string, { schema: SoldSchema }> };
      const { $ref, anyOf = [{ $ref }] } = content['application/json']?.schema ?? {};
      for (const { $ref: schema = '' } of anyOf) assert.ok(given.has(schema), `${operationId} sells ${schema}`);
    }
  });

  it('asks for the prices of the service specification, and for no other', () => {
    // Source: the service specification, Endpoints. A row here is a price that buyers were promised.
    assert.deepEqual(Object.fromEntries(operations.map((each) => [each.operationId, each.priceUsd ?? 'free'])), {
      getMeta: 'free',
      listDeals: '0.05',
      listHotDeals: '0.02',
      listBasicDeals: '0.01',
      listDealIds: 'free',
      getCoverage: 'free',
      countMatches: 'free',
      previewReport: 'free',
      listSources: 'free',
      countChanges: 'free',
      getReport: '1.50',
      lookUpAddress: '0.02',
      listSignals: '0.03',
      listAuctions: '0.03',
      listEvents: '0.02',
      listLeads: '0.25',
      buyExclusiveLead: '1.00',
      getPage: 'free',
      getPayment: 'free',
      getPaymentResponse: 'free',
      getContractJson: 'free',
      getContractYaml: 'free',
      getPlainContract: 'free',
      getPlainContract30: 'free',
      getLlmsText: 'free',
      getX402Discovery: 'free',
      getHome: 'free',
      getDealsPage: 'free',
      getReportViewer: 'free',
      getErrorGuide: 'free',
      getPageAsset: 'free',
      getApiCatalog: 'free',
      getSecurityText: 'free',
      getFavicon: 'free',
      getDocs: 'free',
      getSkill: 'free',
      getHealth: 'free',
      getReadiness: 'free',
    });
    const prices = operations.flatMap(({ operationId, priceUsd }) =>
      priceUsd === undefined ? [] : [[operationId, toAtomicUnits(priceUsd)] as const],
    );
    assert.deepEqual(Object.fromEntries(prices), {
      listDeals: 50_000n,
      listHotDeals: 20_000n,
      listBasicDeals: 10_000n,
      getReport: 1_500_000n,
      lookUpAddress: 20_000n,
      listSignals: 30_000n,
      listAuctions: 30_000n,
      listEvents: 20_000n,
      listLeads: 250_000n,
      buyExclusiveLead: 1_000_000n,
    });
  });

  it('stops the start when an operation is neither priced nor tagged free', () => {
    const withoutPrice = loadChanged('/api/deals/hot', (operation) => delete operation['x-payment-info']);
    assert.throws(withoutPrice, (error) => error instanceof OperatorError && /listHotDeals/.test(error.message));
    const withoutTag = loadChanged('/api/meta', (operation) => (operation['tags'] = ['deals']));
    assert.throws(withoutTag, (error) => error instanceof OperatorError && /getMeta/.test(error.message));
  });

  it('stops the start when an operation is priced and tagged free', () => {
    assert.throws(
      loadChanged('/api/deals', (operation) => (operation['tags'] = ['deals', 'free'])),
      /listDeals/,
    );
  });

  it('stops the start when price and 402 disagree', () => {
    const unasked = loadChanged('/api/deals', ({ responses }) => delete (responses as Record<string, unknown>)['402']);
    assert.throws(unasked, /listDeals/);
    const unpriced = loadChanged('/api/meta', ({ responses }) => {
      (responses as Record<string, unknown>)['402'] = { $ref: '#/components/responses/PaymentRequired' };
    });
    assert.throws(unpriced, /getMeta/);
  });

  it('declares for each operation every status that it can answer, and no other', () => {
    // Node answers 408 and 431 itself, and 405 is the answer to another method.
    const always = [200, 400, 406, 413, 429, 500, 503];
    for (const { operationId, tags, priceUsd, replies } of operations) {
      const expected = [
        ...always,
        ...(['health', 'payments', 'exclusive'].some((tag) => tags.includes(tag)) ? [] : [304]),
        ...(priceUsd === undefined ? [] : [402, 404, 409, 410]),
        ...(operationId === 'getPage' ? [404, 410] : []),
        ...(['getPayment', 'getPageAsset', 'previewReport'].includes(operationId) ? [404] : []),
        ...(operationId === 'getPaymentResponse' ? [402, 404, 409, 410] : []),
      ].sort();
      assert.deepEqual([...replies.keys()].sort(), expected, operationId);
    }
  });

  it('answers every error with a problem, a price with a page as well, and every success with one media type, files of pages with their own', () => {
    for (const { operationId, replies, priceUsd } of operations) {
      for (const [status, mediaTypes] of replies) {
        const isPriced = priceUsd !== undefined && status === 402;
        const kinds = isPriced || (operationId === 'getPageAsset' && status === 200) ? 2 : 1;
        const expected = status === 304 ? 0 : kinds;
        assert.equal(mediaTypes.size, expected, `${operationId} ${status}`);
        const errors = ['application/problem+json', ...(isPriced ? ['text/html'] : [])];
        if (status >= 400) assert.deepEqual([...mediaTypes.keys()], errors, operationId);
      }
    }
  });

  it('holds only references for parameters and replies in its paths', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      assert.deepEqual(Object.keys(item), ['get'], path);
      const { parameters = [], responses } = item['get'] as { parameters?: unknown[]; responses: SchemaNode };
      for (const each of [...parameters, ...Object.values(responses)]) {
        assert.ok(isNode(each), path);
        assert.deepEqual(Object.keys(each), ['$ref'], path);
      }
    }
  });

  it('describes every property', () => {
    assert.deepEqual(undescribed(document.components), []);
    const copy = structuredClone(document.components) as { schemas: { NextStep: { properties: SchemaNode } } };
    copy.schemas.NextStep.properties = { title: { type: 'string', description: 'Name' }, url: { type: 'string' } };
    assert.deepEqual(undescribed(copy), ['#/schemas/NextStep: title', '#/schemas/NextStep: url']);
  });

  it('can be read: it has at most 5,400 lines', () => {
    const lines = contract.text.trimEnd().split('\n').length;
    assert.ok(lines <= 5_400, `${lines} lines`);
  });

  it('describes every parameter, header and reply', () => {
    for (const kind of ['parameters', 'headers', 'responses']) {
      for (const [name, node] of Object.entries(document.components[kind] ?? {})) {
        assert.ok(isNode(node) && typeof node['description'] === 'string' && node['description'].length > 4, name);
      }
    }
  });

  it('gives every number that can be asked for a maximum, so that none is rounded', () => {
    for (const [name, node] of Object.entries(document.components['parameters'] ?? {})) {
      const schema = isNode(node) ? node['schema'] : undefined;
      assert.ok(isNode(schema), name);
      if (schema['type'] !== 'number' && schema['type'] !== 'integer') continue;
      assert.ok(Number.isSafeInteger(schema['maximum']) && schema['minimum'] !== undefined, name);
    }
  });

  it('has the reasons that the server knows, in the same order', () => {
    const reason = document.components['schemas']?.['Reason'];
    assert.ok(isNode(reason));
    assert.deepEqual(reason['enum'], [...reasons]);
  });

  it('keeps its guidance for agents under 4,000 characters', () => {
    assert.ok(document.info['x-guidance'].length < 4_000);
  });
});

/** Properties without a description; a reference has that of what it leads to. */
function undescribed(root: unknown): string[] {
  return [...walkNodes(root)].flatMap(({ pointer, node }) =>
    pointer.endsWith('/properties')
      ? []
      : propertiesOf(node)
          .filter(([, property]) => property['$ref'] === undefined && !isDescribed(property))
          .map(([name]) => `${pointer}: ${name}`),
  );
}

function isDescribed({ description }: SchemaNode): boolean {
  return typeof description === 'string' && description.length >= 5;
}
