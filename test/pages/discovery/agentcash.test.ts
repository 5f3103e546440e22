import assert from 'node:assert/strict';
import {
  AUDIT_CODES,
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  getL3ForOpenAPI,
  getOpenAPI,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForLegacyWellKnown,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  probeLegacyWellKnown,
  validatePaymentRequiredDetailed,
  type OpenApiSource,
} from '@agentcash/discovery';
import { loadContract } from '../../../src/contract/load-contract.js';
import { livePath } from '../../support/live-path.js';
import { askPrice } from '../../support/pay.js';
import { startSepoliaApp, type SepoliaApp } from '../../support/sepolia-app.js';

const { operations, document } = loadContract();

describe('the public discovery validator', () => {
  let shop: SepoliaApp;
  let source: OpenApiSource;
  before(async () => {
    shop = await startSepoliaApp('https://deals.example.com');
    const read = await getOpenAPI(shop.app.url);
    assert.ok(read.isOk() && read.value !== null && !isOpenApiParseFailure(read.value));
    source = read.value;
  });
  after(() => shop.stop());

  it('accepts the contract with its guidance', () => {
    assert.deepEqual(getWarningsForOpenAPI(source), []);
    assert.deepEqual(getWarningsForL4(checkL4ForOpenAPI(source)), []);
    assert.equal(checkL4ForOpenAPI(source)?.guidance.trim(), document.info['x-guidance'].trim());
  });

  it('finds every operation, with its price', () => {
    const listed = checkL2ForOpenAPI(source);
    assert.deepEqual(getWarningsForL2(listed), []);
    assert.deepEqual(
      listed.routes.map(({ path, price, authMode }) => [path, price, authMode]),
      operations.map(({ path, priceUsd }) => [path, priceUsd && `${priceUsd} USD`, priceUsd ? 'paid' : 'unprotected']),
    );
  });

  it('accepts every operation as described in the contract', () => {
    for (const { path } of operations)
      assert.deepEqual(getWarningsForL3(getL3ForOpenAPI(source, path, 'GET')), [], path);
  });

  it('accepts every operation as it answers', async () => {
    for (const { path, priceUsd } of operations.filter((each) => each.priceUsd !== undefined)) {
      const url = shop.app.url + livePath(shop.app, path);
      const probed = await checkEndpointSchema({ url, probe: true });
      assert.ok(probed.found, path);
      for (const advisory of probed.advisories.filter(({ method }) => method === 'GET'))
        assert.deepEqual(getWarningsForL3(advisory), [], `${path} ${priceUsd}`);
    }
  });

  it('accepts every challenge', async () => {
    for (const { path } of operations.filter(({ priceUsd }) => priceUsd !== undefined)) {
      const { issues, valid } = validatePaymentRequiredDetailed(
        await askPrice(shop.app.url + livePath(shop.app, path)),
      );
      assert.deepEqual([issues, valid], [[], true], path);
    }
  });

  it('finds an icon', async () => {
    assert.deepEqual((await getWarningsForFavicon(shop.app.url)).unwrapOr([]), []);
  });

  it('asks to remove only /.well-known/x402 from the origin, which other programs read', async () => {
    const probe = await probeLegacyWellKnown(shop.app.url);
    assert.ok(probe.isOk());
    assert.deepEqual(
      getWarningsForLegacyWellKnown(probe.value).map(({ code }) => code),
      [AUDIT_CODES.LEGACY_WELL_KNOWN_FOUND],
    );
  });
});
