import assert from 'node:assert/strict';
import { readSaleStatus } from '../../../src/sources/html/sale-status.js';

describe('readSaleStatus', () => {
  for (const [text, status] of [
    ['Scheduled', 'scheduled'],
    ['Re-Scheduled', 'scheduled'],
    ['Auction Starts', 'scheduled'],
    ['Adjourned - Plaintiff', 'adjourned'],
    ['ADJOURNED DUE TO BANKRUPTCY', 'adjourned'],
    ['Defendant Adjourned to', 'adjourned'],
    ['Postponed', 'adjourned'],
    ['Cancelled/Settled', 'cancelled'],
    ['Canceled per County', 'cancelled'],
    ['Withdrawn', 'withdrawn'],
    ['Vacated', 'withdrawn'],
    ['Redeemed', 'withdrawn'],
    ['Indefinite Bankruptcy', 'withdrawn'],
    ['Stayed', 'withdrawn'],
    ['Purchased - 3rd Party', 'sold'],
    ['Sold to Plaintiff', 'sold'],
    ['Buy Back', 'sold'],
    ['No Bid, No Sale', 'no_bid'],
    ['Unsold', 'no_bid'],
    ['Not Sold', 'no_bid'],
    ['Not Sold - Plaintiff did not appear', 'no_bid'],
    ['Loan Reinstated', 'withdrawn'],
    ['Reinstated Loan', 'withdrawn'],
    ['Sale Reinstated', 'scheduled'],
    ['Stay Lifted - Scheduled', 'scheduled'],
    ['Bankruptcy Lifted', 'scheduled'],
    ['Bankruptcy Stay Lifted', 'scheduled'],
    ['Stay Lifted - Sold to Plaintiff', 'sold'],
    ['Withdrawn - Stay Lifted', 'withdrawn'],
    ['Bidder Walked Away', 'no_bid'],
    ['Auction to be rescheduled', 'adjourned'],
    ['Bankuptcy', 'withdrawn'],
    ['Canceled per Bankuptcy', 'cancelled'],
    ['Bankuptcy Lifted', 'scheduled'],
    ['Quux', 'unknown'],
    ['', 'unknown'],
  ] as const) {
    it(`reads "${text}" as ${status}`, () => assert.equal(readSaleStatus(text), status));
  }
});
