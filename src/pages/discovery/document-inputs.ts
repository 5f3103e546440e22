import type { Contract } from '../../contract/contract.js';

/** The inputs of the derived documents. */
export interface DocumentInputs {
  readonly contract: Contract;
  readonly publicBaseUrl: string;
  /** CAIP-2 name of the settlement network. */
  readonly network: string;
  /** The operator's contact URL; undefined to keep the contract's own contact. */
  readonly contactUrl: string | undefined;
  /** Address of the key that signs offers and receipts; undefined when none are signed. */
  readonly receiptSigner: string | undefined;
}
