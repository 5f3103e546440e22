import assert from 'node:assert/strict';
import { loadContract } from '../../../src/contract/load-contract.js';
import { OperatorError } from '../../../src/errors.js';
import { createContractRouter, type RouteHandler } from '../../../src/transport/http/contract-router.js';

const contract = loadContract();
type Route = RouteHandler<string[], string>;

describe('the router of the contract', () => {
  const ids = contract.operations.map(({ operationId }) => operationId);
  const routes = (names: readonly string[]) =>
    new Map(names.map((name): [string, Route] => [name, (path) => `${name} ${JSON.stringify(path)}`]));
  const start = (names: readonly string[]) =>
    createContractRouter<string[], string>(contract, {
      operations: routes(names),
      notFound: () => 'not found',
      methodNotAllowed: () => 'method not allowed',
    });

  it('starts with an OpenAPI 3.1 contract', async () => {
    assert.match(contract.document.openapi, /^3\.1/);
    await start(ids);
  });

  it('routes every operation of the contract to its handler', async () => {
    const router = await start(ids);
    for (const { operationId, path } of contract.operations) {
      const target = path.replace(/\{[^}]+\}/g, 'value');
      assert.match(await router.route('get', target, []), new RegExp(`^${operationId} `), path);
    }
  });

  it('prevents the start when an operation has no handler, and names it', async () => {
    await assert.rejects(
      start(ids.filter((id) => id !== 'getPage')),
      (error) => error instanceof OperatorError && /getPage/.test(error.message),
    );
  });

  it('passes path parameters as raw text, whatever they look like', async () => {
    const router = await start(ids);
    for (const token of ['0x10', '1e3', '9007199254740993', '%2F', '%zz', 'true', 'null', '{token}', '..']) {
      assert.equal(await router.route('get', `/api/pages/${token}`, []), `getPage ${JSON.stringify({ token })}`);
    }
  });

  it('prefers a fixed path and matches it exactly', async () => {
    const router = await start(ids);
    assert.equal(await router.route('get', '/api/deals/hot', []), 'listHotDeals {}');
    for (const path of ['/api/deals/', '/api/Deals', '//api/deals', '/api/deals ', ' /api/deals', '/api/deals\n', '']) {
      assert.equal(await router.route('get', path, []), 'not found', JSON.stringify(path));
    }
  });

  it('distinguishes an unknown path from a wrong method', async () => {
    const router = await start(ids);
    assert.equal(await router.route('post', '/api/deals', []), 'method not allowed');
    assert.equal(await router.route('post', '/api/nothing', []), 'not found');
    assert.equal(await router.route('constructor', '/api/deals', []), 'method not allowed');
  });

  it('leaves the contract unchanged', async () => {
    const before = JSON.stringify(contract.document);
    await start(ids);
    assert.equal(JSON.stringify(contract.document), before);
  });
});
