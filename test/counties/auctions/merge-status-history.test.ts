import assert from 'node:assert/strict';
import { known, valueOf } from '../../../src/absence.js';
import type { SaleStatus } from '../../../src/counties/auctions/auction.js';
import { mergeStatusHistory } from '../../../src/counties/auctions/merge-status-history.js';

describe('the history of a sale whose source dates each status with the day of the sale', () => {
  const told = (status: SaleStatus, date: string) => ({ status, date: known(date), text: `told ${status}` });
  const seen = (day: string, status: SaleStatus, saleDate: string) => ({
    day,
    status,
    saleDate,
    isMissing: status === 'unknown',
  });
  const source = [told('adjourned', '2026-12-14'), told('scheduled', '2026-11-16')];
  const own = [seen('2026-11-01', 'scheduled', '2026-11-16'), seen('2026-11-10', 'adjourned', '2026-12-14')];
  const historyOf = (...args: Parameters<typeof mergeStatusHistory>) =>
    mergeStatusHistory(...args).map(({ status, date }) => `${valueOf(date)} ${status}`);

  it("has no repetition: our observation of a status for that day equals the source's entry", () => {
    assert.deepEqual(historyOf(source, own), ['2026-12-14 adjourned', '2026-11-16 scheduled']);
  });

  it('starts with the sale no longer being shown, although the day of the sale is in the future', () => {
    assert.deepEqual(historyOf(source, [...own, seen('2026-11-20', 'unknown', '2026-12-14')]), [
      '2026-11-20 unknown',
      '2026-12-14 adjourned',
      '2026-11-16 scheduled',
    ]);
  });

  it('does not start with that after the sale is shown again', () => {
    const back = seen('2026-11-22', 'adjourned', '2026-12-14');
    const [latest] = historyOf(source, [...own, seen('2026-11-20', 'unknown', '2026-12-14'), back]);
    assert.equal(latest, '2026-12-14 adjourned');
  });
});
