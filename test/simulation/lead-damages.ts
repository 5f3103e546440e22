import { paymentName } from '../../src/payments/ledger/payment-row.js';
import { spread } from './spread.js';
import type { Variant } from './variant.js';

/** Machines that sell leads to more than one buyer, or keep them from all. */
export const leadDamages: readonly Variant[] = [
  {
    name: 'claims a lead without holding it',
    ledger: (ledger) => ({
      ...spread(ledger),
      claim: ({ leads: _, ...claim }) => ledger.claim(claim),
    }),
  },
  {
    name: 'holds a lead without looking whether another does',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      async claim({ leads = [], ...claim }) {
        const result = await ledger.claim(claim);
        for (const { leadId, exclusiveUntil: until } of result.kind === 'claimed' ? leads : [])
          if (until !== undefined) tables.holds.add({ leadId, until, payment: paymentName(claim) });
        return result;
      },
    }),
  },
  {
    name: 'lets a payment go and keeps its lead',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      async release(key, owner, reason) {
        const held = [...tables.holds].filter(({ payment }) => payment === paymentName(key));
        const isReleased = await ledger.release(key, owner, reason);
        for (const hold of held) tables.holds.add(hold);
        return isReleased;
      },
    }),
  },
  {
    name: 'frees the lead of a payment whose outcome is unknown',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      async endLease(key, owner) {
        for (const hold of tables.holds) if (hold.payment === paymentName(key)) tables.holds.delete(hold);
        await ledger.endLease(key, owner);
      },
    }),
  },
];
