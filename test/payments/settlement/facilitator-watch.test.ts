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
import { createSettlementProblems } from '../../../src/payments/settlement/settlement-problems.js';

describe('the watch over a facilitator', () => {
  let watch: FacilitatorWatch;
  let answer: SupportedAnswer;
  const problems = createSettlementProblems(() => 0);
  const why = () => problems.current()?.why;
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
    watch = createFacilitatorWatch({ facilitator, networkId: 'eip155:8453', problems, log: log as never, pausesMs });
  });
  afterEach(() => watch.close());

  it('sees no obstacle in one that takes our kind, nor in one that lists nothing', async () => {
    for (answer of ['supported', 'unlisted'] as const) {
      await watch.start();
      assert.equal(why(), undefined);
    }
  });

  it('lets nobody start with one that does not take our kind', async () => {
    answer = 'unsupported';
    await assert.rejects(watch.start(), OperatorError);
  });

  it('starts while it does not answer, says so, and sells as soon as it does', async () => {
    answer = 'none';
    await watch.start();
    assert.match(why() ?? '', /does not answer/);
    const back = once(events, 'the facilitator is back');
    answer = 'supported';
    await back;
    assert.equal(why(), undefined);
  });

  it('sees an obstacle after three failures in a row, which anything that works ends', async () => {
    answer = 'none';
    for (const worked of [false, false, true, false, false]) watch.record(worked);
    assert.equal(why(), undefined);
    watch.record(false);
    assert.match(why() ?? '', /does not answer/);
    watch.record(true);
    assert.equal(why(), undefined);
  });
});
