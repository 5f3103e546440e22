import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { createAnswerInTime } from '../../src/operations/answer-in-time.js';
import { createProblemReply } from '../../src/operations/problem.js';
import { requestOf } from './test-run.js';

describe('answer in time', () => {
  it('leaves no unhandled rejection of a call that fails after its buyer was answered', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    const own = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    let endWait = (): void => undefined;
    const inTime = createAnswerInTime(createProblemReply(createValidators(loadContract())), (callBack) => {
      endWait = callBack;
      return undefined;
    });
    let fail: (error: Error) => void = () => undefined;
    const call = new Promise<never>((_, reject) => (fail = reject));
    const answer = inTime(call, requestOf({ paymentSignatures: ['a payment'] }));
    endWait();
    assert.equal((await answer).reason, 'settlement_unknown');
    fail(new Error('a reply outside the contract'));
    await setImmediate();
    process.removeAllListeners('unhandledRejection');
    for (const each of own) process.on('unhandledRejection', each);
    assert.deepEqual(rejections, []);
  });
});
