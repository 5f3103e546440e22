import assert from 'node:assert/strict';
import { loadContract } from '../../../src/contract/load-contract.js';
import { OperatorError } from '../../../src/errors.js';
import { createContractRouter, type RouteHandler } from '../../../src/transport/http/contract-router.js';

const contract = loadContract();
type Route = RouteHandler<string[], string>;

describe('the router of the contract', () => {
  const ids = contract.operations.map(({ operationId }) => operationId);
  const routes = (names: readonly string[]) =>
    new Map(
      names.map((name): [string, Route] => [name, ({ request: { params } }) => `${name} ${JSON.stringify(params)}`]),
    );
  const start = async (names: readonly string[]) => {
    const router = await createContractRouter<string[], string>(contract, {
      operations: routes(names),
      notFound: () => 'not found',
      methodNotAllowed: () => 'method not allowed',
    });
    return (method: string, path: string) => router.handleRequest({ method, path, headers: {} }, []);
  };

  it('starts with an OpenAPI 3.1 contract', async () => {
    assert.match(contract.document.openapi, /^3\.1/);
    await start(ids);
  });

  it('routes every operation of the contract to its handler', async () => {
    const route = await start(ids);
    for (const { operationId, path } of contract.operations) {
      const target = path.replace(/\{[^}]+\}/g, 'value');
      assert.match(await route('get', target), new RegExp(`^${operationId} `), path);
    }
  });

  it('prevents the start when an operation has no handler, and names it', async () => {
    await assert.rejects(
      start(ids.filter((id) => id !== 'getPage')),
      (error) => error instanceof OperatorError && /getPage/.test(error.message),
    );
  });

  it('passes path parameters as raw text, whatever they look like', async () => {
    const route = await start(ids);
    for (const token of ['0x10', '1e3', '9007199254740993', '%2F', '%zz', 'true', 'null', '{token}', '..']) {
      assert.equal(await route('get', `/api/pages/${token}`), `getPage ${JSON.stringify({ token })}`);
    }
  });

  it('prefers a fixed path and matches it exactly', async () => {
    const route = await start(ids);
    assert.equal(await route('get', '/api/deals/hot'), 'listHotDeals {}');
    for (const path of ['/api/deals/', '/api/Deals', '//api/deals', '/api/deals ', ' /api/deals', '/api/deals\n', '']) {
      assert.equal(await route('get', path), 'not found', JSON.stringify(path));
    }
  });

  it('distinguishes an unknown path from a wrong method', async () => {
    const route = await start(ids);
    assert.equal(await route('post', '/api/deals'), 'method not allowed');
    assert.equal(await route('post', '/api/nothing'), 'not found');
    assert.equal(await route('constructor', '/api/deals'), 'method not allowed');
  });

  it('leaves the contract unchanged', async () => {
    const before = JSON.stringify(contract.document);
    await start(ids);
    assert.equal(JSON.stringify(contract.document), before);
  });
});
