import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { assertPlain } from './check-plain.js';
import { readReplies } from './replies.js';

const contract = loadContract();
const validators = createValidators(contract);
const operations = contract.operations.filter(({ path }) => path.startsWith('/api/'));
const replies = readReplies();
const cure = 'record them again: npm run record:replies';

describe('the recorded replies', () => {
  it('are of every data operation, of every kind of lead, and of each kind of refusal', () => {
    const sold = replies.filter(({ status }) => status === 200).map(({ operationId }) => operationId);
    assert.deepEqual(
      operations.map(({ operationId }) => operationId).filter((each) => !sold.includes(each)),
      [],
      cure,
    );
    const statuses = new Set(replies.map(({ status }) => status));
    for (const status of [400, 402, 404, 410, 503]) assert.ok(statuses.has(status), `${status}`);
    const text = replies.map(({ body }) => JSON.stringify(body)).join('\n');
    for (const kind of ['sheriff_sale_auction', 'tax_delinquent_owner', 'motivated_listing'])
      assert.ok(text.includes(`"lead_type":"${kind}"`), kind);
    assert.ok(replies.length >= 40 && text.includes(':null') && text.includes(':[]'));
  });

  it('are what the contract and both documents for generators say', () => {
    for (const { file, operationId, status, body, isPlain } of replies) {
      const operation = operations.find((each) => each.operationId === operationId);
      assert.ok(operation, `${file}: ${cure}`);
      const [pointer = ''] = operation.replies.get(status)?.values() ?? [];
      const check = validators.at(pointer);
      assert.ok(check(body), `${file}: ${JSON.stringify(check.faults()[0])}; ${cure}`);
      if (isPlain) assertPlain(operation.path, status, body, file);
    }
  });
});
