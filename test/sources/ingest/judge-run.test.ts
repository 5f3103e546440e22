import assert from 'node:assert/strict';
import { judgeRun, type RunToJudge } from '../../../src/sources/ingest/judge-run.js';

const hours = (count: number) => new Date(Date.parse('2026-11-01T00:00:00.000Z') + count * 3600 * 1000);
const baseline = { status: 'completed', startedAt: hours(0), etag: 'a', accepted: 100 } as const;
const quarantined = { status: 'quarantined', startedAt: hours(24), etag: 'b', accepted: 50 } as const;
const judge = (run: Partial<RunToJudge>) =>
  judgeRun({ startedAt: hours(48), etag: 'c', accepted: 50, baseline, previous: quarantined, ...run });

describe('judgeRun', () => {
  it('accepts the first run of a source, and an empty one after an empty one', () => {
    assert.equal(judge({ accepted: 0, baseline: undefined, previous: undefined }), 'completed');
    assert.equal(judge({ accepted: 0, baseline: { ...baseline, accepted: 0 }, previous: undefined }), 'completed');
  });

  it('accepts a loss of exactly 40% and quarantines one row more', () => {
    assert.equal(judge({ accepted: 60, previous: baseline }), 'completed');
    assert.equal(judge({ accepted: 59, previous: baseline }), 'quarantined');
    assert.equal(judge({ accepted: 0, previous: baseline }), 'quarantined');
  });

  it('accepts a second run that agrees within 10%, from another delivery, 12 hours later', () => {
    for (const accepted of [45, 50, 55]) assert.equal(judge({ accepted }), 'completed', String(accepted));
    assert.equal(judge({ startedAt: hours(36) }), 'completed');
    assert.equal(judge({ etag: undefined }), 'completed');
  });

  it('never accepts that all of a larger delivery is gone, for any number of empty runs', () => {
    const empty = { ...quarantined, accepted: 0 };
    assert.equal(judge({ accepted: 0, previous: empty }), 'quarantined');
    const few = (accepted: number) => judge({ accepted: 0, previous: empty, baseline: { ...baseline, accepted } });
    assert.deepEqual([few(10), few(9)], ['quarantined', 'completed'], 'a small county may have no sale left');
  });

  it('still quarantines a second run of another size, of the same delivery, or too soon', () => {
    for (const accepted of [44, 56]) assert.equal(judge({ accepted }), 'quarantined', String(accepted));
    assert.equal(judge({ etag: 'b' }), 'quarantined');
    assert.equal(judge({ startedAt: new Date(hours(36).getTime() - 1) }), 'quarantined');
  });
});
