import assert from 'node:assert/strict';
import type { SaleStatus } from '../../../../src/counties/auctions/auction.js';
import { readSaleStatus } from '../../../../src/sources/formats/html/sale-status.js';

const wordings: Readonly<Record<SaleStatus, readonly string[]>> = {
  scheduled: [
    ...['Scheduled', 'Re-Scheduled', 'Rescheduled', 'Auction Starts', 'Sale Reinstated', 'To Be Sold', 'Active'],
    ...['Stay Lifted - Scheduled', 'Sale Pending - Bankruptcy Dismissed'],
  ],
  adjourned: [
    ...['Adjourned - Plaintiff', 'ADJOURNED DUE TO BANKRUPTCY', 'Defendant Adjourned to', 'Postponed', 'On Hold'],
    ...['Continued', 'Sale Continued to 1/11/2027', 'Auction to be rescheduled', 'Bankruptcy Dismissed - Adjourned'],
  ],
  cancelled: [
    ...['Cancelled/Settled', 'Canceled per County', 'Canceled per Bankuptcy', 'Cancelled - Stay Lifted'],
    ...['Bankruptcy Dismissed; Canceled per Order'],
  ],
  withdrawn: [
    ...[
      'Withdrawn',
      'Vacated',
      'Sale Vacated',
      'Judgment Vacated',
      'Dismissed',
      'Case Dismissed',
      'Settled',
      'Recalled',
    ],
    ...['Discontinued', 'Action Discontinued', 'Discontinuance Filed', 'Redeemed', 'Paid in Full'],
    ...['Loan Reinstated', 'Reinstated Loan', 'Mortgage Reinstated', 'Withdrawn - Stay Lifted'],
    ...['Indefinite Bankruptcy', 'Bankuptcy', 'Bankruptcy Filed', 'Bankruptcy Ch. 13', 'BK', 'Bankruptcy Reinstated'],
    ...['Stayed', 'Stay', 'Automatic Stay', 'Stay Granted', 'Stay Extended', 'Stay Not Lifted', 'Stay - Sale Vacated'],
    ...['Bankruptcy Not Dismissed', 'Bankruptcy Dismissal Vacated', 'Dismissed - Bankruptcy Lifted'],
    ...['Motion to Lift Stay Filed', 'Relief from Stay Denied', 'Relief from the Automatic Stay Denied'],
    ...['Motion to Lift Stay Denied', 'Relief from the Bankruptcy Stay Denied'],
  ],
  sold: [
    ...['Purchased - 3rd Party', 'Sold to Plaintiff', 'Buy Back', 'Stay Lifted - Sold to Plaintiff'],
    ...['Struck Off', 'Relief from Stay Granted - Sold'],
  ],
  no_bid: [
    ...[
      'No Bid, No Sale',
      'Unsold',
      'Not Sold',
      'Has Not Been Sold',
      'Not Sold - Plaintiff did not appear',
      'Bidder Walked Away',
      'Passed',
    ],
  ],
  unknown: [
    ...['Quux', '', 'Unscheduled', 'Not Scheduled', 'Inactive', 'Not Active', 'Not Redeemed', 'Unsettled', 'Unpaid'],
    ...['Not Paid', 'Uncontested', 'Concluded', 'Not to be sold', 'No longer scheduled', 'Never redeemed'],
    ...['Has not been redeemed', 'Will not be sold'],
  ],
};

/** An obstacle that no longer exists: the sale takes place. */
const lifted = [
  ...[
    'Stay Lifted',
    'Stay Vacated',
    'Stay Terminated',
    'Stay has been lifted',
    'Stay of Sale Dissolved',
    'Stay Denied',
  ],
  ...[
    'Automatic Stay Lifted',
    'Bankruptcy Lifted',
    'Bankruptcy Stay Lifted',
    'Bankuptcy Lifted',
    'BANKRUPTCY - STAY LIFTED',
  ],
  ...['Bankruptcy Dismissed', 'Bankruptcy Case Dismissed', 'Bankruptcy Was Dismissed', 'Bankruptcy Petition Dismissed'],
  ...[
    'Bankruptcy Closed',
    'Bankruptcy Discharged',
    'Bankruptcy Terminated',
    'BK Dismissed',
    'Chapter 13 Bankruptcy Dismissed',
  ],
  ...['Relief from Stay Granted', 'Relief from Automatic Stay Granted', 'Relief from the Bankruptcy Stay Granted'],
  ...[
    'Stay Relief Granted',
    'Motion for Relief from Stay Granted',
    'Motion to Lift Stay Granted',
    'Granted Relief from Stay',
  ],
  ...['Order Lifting Stay', 'Order Vacating Stay', 'Order Granting Relief from Stay', 'Lifted Stay'],
  ...['Bankruptcy Hold Lifted', 'Dismissal of Bankruptcy', 'Stay Lifted - Bankruptcy'],
  ...['Injunction Dissolved', 'Restraining Order Vacated', 'TRO Dismissed', 'Appeal Dismissed', 'Hold Released'],
];

describe('readSaleStatus', () => {
  for (const [status, texts] of Object.entries(wordings))
    for (const text of texts) it(`reads "${text}" as ${status}`, () => assert.equal(readSaleStatus(text), status));

  for (const text of lifted)
    it(`reads "${text}" as a removed obstacle: the sale is scheduled`, () =>
      assert.equal(readSaleStatus(text), 'scheduled'));

  for (const words of ['stay ', 'bankruptcy case ', 'relief from the ', 'order lifting ', 'not '])
    it(`reads a page full of "${words.trim()}" quickly`, () => {
      const before = process.cpuUsage();
      readSaleStatus(words.repeat(20_000));
      assert.ok(process.cpuUsage(before).user < 1_000_000, 'a second of this process, however busy the machine');
    });
});
