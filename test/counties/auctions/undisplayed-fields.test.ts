import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { openSuppression } from '../../policy/suppression.js';
import { licence, setDay } from '../../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../../support/database.js';
import { openAuctionFixture } from './auction-fixture.js';
import { observeAuction } from './observed-auction.js';

const notStated = absent('not_stated_by_source');
const policy = absent('suppressed_by_policy');
const elsewhere = observeAuction({ sourceKey: 'a9', caseNumber: known('CV-9'), address: known('9 Other St') });

describe('sale fields that a licence does not show', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  const { ingest, readAll, readRoll, readKey } = openAuctionFixture(() => database);
  const without = (...undisplayedFields: string[]) => ({ licence: { ...licence, undisplayedFields } });
  const suppress = (address: string) => openSuppression(database.knex).suppressAddress(address, 'owner');

  it('are absent, and still count for suppressions', async () => {
    await ingest([observeAuction(), elsewhere], without('address', 'parcelId', 'plaintiff'));
    const { address, parcelId, plaintiff, defendant, openingBid } = await readKey('a1');
    assert.deepEqual([address, parcelId, plaintiff], [policy, policy, policy]);
    assert.deepEqual([defendant, openingBid], [known('EXAMPLE HOLDINGS LLC'), known('60000')]);
    await suppress('100 Example Ave, Cleveland, OH 44105');
    assert.deepEqual(
      (await readAll()).map(({ sourceKey }) => sourceKey),
      ['a9'],
    );
  });

  it('give no parcel for an address lookup, and still suppress the sale', async () => {
    await ingest([observeAuction({ address: notStated })], without('parcelId'));
    await readRoll();
    const { address, parcelId } = await readKey('a1');
    assert.deepEqual([address, parcelId], [notStated, policy]);
    await suppress('200 Roll St, Cleveland, OH 44109');
    assert.deepEqual(await readAll(), []);
  });

  it('are not revealed by the id, which derives from the case number only when that is shown', async () => {
    await ingest([observeAuction()], { name: 'open' });
    await ingest([observeAuction()], { name: 'close', ...without('caseNumber') });
    const [one, other] = await readAll();
    assert.deepEqual([one?.sourceName, other?.sourceName].sort(), ['close', 'open']);
    assert.notEqual(one?.id, other?.id);
  });
});
