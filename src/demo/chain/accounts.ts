import { wellKnownAccounts, type TestAccount } from '../../payments/chain/well-known-accounts.js';

const [first, second, third, fourth, fifth] = wellKnownAccounts;

/** The demonstration's buyer: has a large balance of the test token and needs no gas. */
export const buyer: TestAccount = first;

/** Pays the gas of the settlements. */
export const relayer: TestAccount = second;

/** Receives the payments. */
export const payTo: TestAccount = third;

/** Mints, pauses and blacklists the test token. */
export const tokenOwner: TestAccount = fourth;

/** Signs offers and receipts. */
export const receiptSigner: TestAccount = fifth;
