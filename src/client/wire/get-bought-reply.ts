import { ask } from './ask.js';
import type { Call } from './call.js';
import type { Account } from '../deals-client.js';
import { createPurchaseError } from '../error-classes.js';
import { proveWallet, type Prover } from '../payments/prove-wallet.js';
import type { Reply } from '../service-client.js';

/** Gets a paid reply again, free, for the account that paid. @throws PurchaseError `key_needed` without that account */
export async function getBoughtReply(
  { send, patience, baseUrl }: Call,
  path: string,
  account: Account | undefined,
  onBeforeProve?: Prover['onBeforeProve'],
): Promise<Reply> {
  const asked = await ask(send, path, patience);
  if (asked.kind === 'free') return asked.reply;
  if (account?.signMessage === undefined)
    throw createPurchaseError('key_needed', 'The reply is for the account that paid, which must sign a message.');
  const { address, signMessage } = account;
  const prover: Prover = { address, signMessage: (message) => signMessage.call(account, message), onBeforeProve };
  const proof = await proveWallet(asked.challenge, baseUrl + path, prover);
  const proven = await ask(send, path, patience, { 'SIGN-IN-WITH-X': proof });
  if (proven.kind === 'free') return proven.reply;
  throw createPurchaseError('payment_already_used', `The reply is for the account that paid, not for ${address}.`, {
    status: 402,
    payment: 'settled',
  });
}
