import assert from 'node:assert/strict';
import type { ContractOperation } from '../../src/contract/contract.js';
import type { Check } from './check.js';
import type { LiveValues } from './live-values.js';
import type { Target, TargetRequest } from './target.js';

/** What must hold of an operation before anybody pays. */
export function createFreeChecks(target: Target, live: LiveValues, operation: ContractOperation): readonly Check[] {
  const { path, priceUsd, replies } = operation;
  const ask = (where: string, request?: TargetRequest) => target.ask(operation, where, request);
  const at = live.pathOf(operation);
  const emptyPath = priceUsd === undefined ? live.emptyPathOf(operation) : undefined;
  const isFound = priceUsd === undefined && live.isThere(operation);

  const checks: Check[] = [
    {
      name: `${path} knows no other method`,
      run: async () => {
        const { status, headers } = await ask(at, { method: 'DELETE' });
        assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
        assert.equal((await ask(at, { method: 'OPTIONS' })).status, 204);
      },
    },
    {
      name: `${path} takes no body`,
      run: async () => assert.equal((await ask(at, { method: 'POST', body: 'x' })).status, 413),
    },
    {
      name: `${path} answers to HEAD with the status of GET and no body`,
      run: async () => {
        const { status, text } = await ask(at, { method: 'HEAD' });
        assert.deepEqual([status, text], [(await ask(at)).status, '']);
      },
    },
    {
      name: `${path} names a parameter that it does not know`,
      run: async () => {
        const { status, body } = await ask(`${at}${at.includes('?') ? '&' : '?'}no_such_parameter=1`);
        assert.equal(status, priceUsd === undefined ? 400 : 402);
        assert.match(JSON.stringify((body as { errors?: unknown }).errors ?? []), /no_such_parameter/);
      },
    },
  ];
  if (replies.has(406))
    checks.push({
      name: `${path} refuses to answer in another format`,
      run: async () => assert.equal((await ask(at, { headers: { Accept: 'image/png' } })).status, 406),
    });
  if (isFound)
    checks.push({
      name: `${path} is free`,
      run: async () => assert.equal((await ask(at)).status, 200),
    });
  if (isFound && replies.has(304))
    checks.push({
      name: `${path} tells that nothing has changed`,
      run: async () => {
        const tag = (await ask(at)).headers.get('etag') ?? assert.fail('There is no ETag.');
        const again = await ask(at, { headers: { 'If-None-Match': tag } });
        assert.deepEqual([again.status, again.text], [304, '']);
      },
    });
  if (emptyPath !== undefined)
    checks.push({
      name: `${path} tells that nothing stands there`,
      run: async () => assert.ok([404, 410].includes((await ask(emptyPath)).status)),
    });
  return checks;
}
