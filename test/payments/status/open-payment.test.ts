import assert from 'node:assert/strict';
import {
  createPaymentStatusService,
  type PaymentStatusServicePorts,
} from '../../../src/payments/status/payment-status.js';
import type { PaymentStatus } from '../../../generated/types.gen.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';
const endMs = 1_795_000_000_000;

/** What is told of an open payment. */
async function reportOpen(finalityLagMs: () => Promise<number>) {
  const row = { state: 'claimed', validBefore: BigInt(endMs / 1000), claimedAt: new Date(0), delivery: 'pending' };
  const ledger = { findById: async () => ({ row, isReplyKept: true, readAt: new Date() }) };
  const service = createPaymentStatusService({ ledger, finalityLagMs } as unknown as PaymentStatusServicePorts);
  return (await service.report(`0x${'b'.repeat(64)}`)).open;
}

describe('the status of an open payment', () => {
  let shop: Shop;
  before(async () => {
    shop = await openShop();
  });
  after(() => shop.close());

  it('ends when a finalized block is past its window: by the lag that is measured, else a minute later', async () => {
    const chargeableUntil = new Date(endMs);
    assert.deepEqual(await reportOpen(async () => 1_200_000), { chargeableUntil, endsBy: new Date(endMs + 1_200_000) });
    const isAway = () => Promise.reject(new Error('the node is down'));
    assert.deepEqual(await reportOpen(isAway), { chargeableUntil, endsBy: new Date(endMs + 60_000) });
  });

  it('says until when it may be charged and by when it ends, as long as it is open', async () => {
    const header = await shop.sign(path, { validBefore: BigInt(Math.floor(Date.now() / 1000)) + 3_600n });
    const ask = async (id: string) =>
      (await (await fetch(`${shop.app.url}/api/payments/${id}`)).json()) as PaymentStatus;
    shop.faults.settler.settle = async () => ({ outcome: 'unknown', detail: 'no answer' });
    const id = (await shop.pay(path, header)).problem?.payment_id ?? '';
    const open = await ask(id);
    const end = Number(shop.authorizationOf(header).validBefore) * 1000;
    assert.deepEqual([open.state, Date.parse(open.chargeable_until ?? '')], ['claimed', end]);
    assert.ok(Date.parse(open.ends_by ?? '') >= end);
    shop.mend();
    assert.equal((await shop.pay(path, header)).status, 200);
    const settled = await ask(id);
    assert.deepEqual([settled.state, settled.chargeable_until, settled.ends_by], ['settled', undefined, undefined]);
  });
});
