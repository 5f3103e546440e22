import type { LocalAccount } from 'viem';

/** The signer: a viem account, or any object with these two members. */
export type Payer = Pick<LocalAccount, 'address' | 'signTypedData'>;
