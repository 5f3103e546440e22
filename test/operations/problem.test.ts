import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { reasons, ServiceError } from '../../src/errors.js';
import { toServiceError, problemBody, problemKindOf } from '../../src/operations/problem.js';

const contract = loadContract();
const isProblem = createValidators(contract).at('#/components/schemas/Problem');

describe('problem', () => {
  for (const reason of reasons) {
    it(`has a status, a title and a body that keeps the contract for ${reason}`, () => {
      const body = problemBody(new ServiceError(reason, 'What is wrong, and what to do.'), 'abc123');
      assert.ok(isProblem(body), JSON.stringify(isProblem.faults()));
      assert.equal(body.status, problemKindOf(reason).status);
      assert.equal(body.billed, false);
      assert.ok(body.title.length > 4);
      assert.ok(body.next.length > 0, 'something free to do instead');
    });
  }

  it('gives each reason a status that some operation declares, or that no operation can answer', () => {
    const declared = new Set(contract.operations.flatMap(({ replies }) => [...replies.keys()]));
    for (const reason of reasons) {
      if (reason !== 'method_not_allowed') assert.ok(declared.has(problemKindOf(reason).status), reason);
    }
  });

  it('asks for the same payment again only where its outcome is open', () => {
    const same = reasons.filter((reason) => problemBody(new ServiceError(reason, ''), '').retry_same_payment);
    assert.deepEqual(same, ['payment_in_progress', 'settlement_unknown']);
  });

  it('keeps a payment that could not be sent for the same request', () => {
    const kept = reasons.filter(
      (reason) => problemBody(new ServiceError(reason, '', { payment: 'not_settled' }), '').retry_same_payment,
    );
    assert.deepEqual(kept, [
      'facilitator_unavailable',
      'chain_unavailable',
      'not_yet_published',
      'temporarily_unavailable',
    ]);
  });

  it('says nothing of an error that nobody foresaw', () => {
    const shown = toServiceError(new Error('password=hunter2 at /srv/app/secret.ts'));
    assert.equal(shown.reason, 'internal_error');
    assert.doesNotMatch(JSON.stringify(problemBody(shown, 'abc123')), /hunter2|secret\.ts/);
  });

  it('passes on an error that was meant for the caller', () => {
    const meant = new ServiceError('no_records_match', 'Nothing.');
    assert.equal(toServiceError(meant), meant);
  });
});
