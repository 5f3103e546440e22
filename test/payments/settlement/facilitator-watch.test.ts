import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { OperatorError } from '../../../src/errors.js';
import type {
  FacilitatorClient,
  SupportedAnswer,
} from '../../../src/payments/settlement/facilitator/facilitator-client.js';
import {
  createFacilitatorWatch,
  type FacilitatorWatch,
} from '../../../src/payments/settlement/facilitator/facilitator-watch.js';

describe('the watch over a facilitator', () => {
  let watch: FacilitatorWatch;
  let answer: SupportedAnswer;
  const events = new EventEmitter();

  beforeEach(() => {
    answer = 'supported';
    const facilitator: FacilitatorClient = {
      host: 'facilitator.example',
      verify: () => assert.fail(),
      settle: () => assert.fail(),
      supports: async () => answer,
    };
    const log = { info: (_: unknown, text: string) => events.emit(text), warn: () => undefined };
    const pausesMs = { first: 1, longest: 4 };
    watch = createFacilitatorWatch({ facilitator, networkId: 'eip155:8453', log: log as never, pausesMs });
  });
  afterEach(() => watch.close());

  it('sees no obstacle in one that takes our kind, nor in one that lists nothing', async () => {
    for (answer of ['supported', 'unlisted'] as const) {
      await watch.start();
      assert.equal(watch.settlementProblem(), undefined);
    }
  });

  it('lets nobody start with one that does not take our kind', async () => {
    answer = 'unsupported';
    await assert.rejects(watch.start(), OperatorError);
  });

  it('starts while it does not answer, says so, and sells as soon as it does', async () => {
    answer = 'none';
    await watch.start();
    assert.match(watch.settlementProblem() ?? '', /does not answer/);
    const back = once(events, 'the facilitator is back');
    answer = 'supported';
    await back;
    assert.equal(watch.settlementProblem(), undefined);
  });

  it('sees an obstacle after three failures in a row, which anything that works ends', async () => {
    answer = 'none';
    for (const worked of [false, false, true, false, false]) watch.record(worked);
    assert.equal(watch.settlementProblem(), undefined);
    watch.record(false);
    assert.match(watch.settlementProblem() ?? '', /does not answer/);
    watch.record(true);
    assert.equal(watch.settlementProblem(), undefined);
  });
});
