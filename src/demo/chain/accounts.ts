import { wellKnownAccounts } from '../../payments/chain/well-known-accounts.js';

/**
 * The accounts of the demonstration:
 * - `buyer` has a large balance of the test token and needs no gas
 * - `relayer` pays the gas of the settlements, `nextRelayer` of a second instance's; `payTo` receives the payments
 * - `tokenOwner` mints, pauses and blacklists the test token
 * - `receiptSigner` signs offers and receipts
 */
export const [buyer, relayer, payTo, tokenOwner, receiptSigner, nextRelayer] = wellKnownAccounts;
