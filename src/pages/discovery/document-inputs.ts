import type { Contract } from '../../contract/contract.js';

/** What the documents are derived from. */
export interface DocumentInputs {
  readonly contract: Contract;
  readonly publicBaseUrl: string;
  /** CAIP-2 name of the network payments settle on. */
  readonly network: string;
  /** Where the operator is reached; undefined where the contract's own contact stands. */
  readonly contactUrl: string | undefined;
  /** Address of the key that signs offers and receipts; undefined where none are signed. */
  readonly receiptSigner: string | undefined;
}
