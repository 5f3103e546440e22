import type { Hex } from './chain/eip3009.js';
import { createTypedDataSigner, type FlatMessage, type FlatStruct } from './chain/typed-data-signer.js';

/** One way to pay for a resource, as signed: an entry of `accepts`. Times are Unix seconds. */
export interface OfferTerms {
  readonly resourceUrl: string;
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string;
  readonly validUntil: number;
}

/** A receipt, as signed: this payer paid for this resource in this transaction. Times are Unix seconds. */
export interface ReceiptTerms {
  readonly network: string;
  readonly resourceUrl: string;
  readonly payer: string;
  readonly issuedAt: number;
  readonly transaction: string;
}

/** A signed offer or receipt on the wire, in the EIP-712 format of the extension `offer-receipt`. */
export interface Signed<Terms> {
  readonly format: 'eip712';
  readonly payload: { readonly version: 1 } & Terms;
  /** r, s, v; 65 bytes. */
  readonly signature: Hex;
}

/** Signs offers and receipts. The same terms give the same signature, so that a receipt can be given again. */
export interface OfferReceiptIssuer {
  /** What the signatures recover to; published, so that buyers can tell who signed. EIP-55 form. */
  readonly address: Hex;
  issueOffer(terms: OfferTerms): Signed<OfferTerms>;
  issueReceipt(terms: ReceiptTerms): Signed<ReceiptTerms>;
}

/**
 * An issuer with a key of its own. Structs and domains are the extension's, whatever the network: its chain id is 1.
 */
export async function createOfferReceiptIssuer(privateKey: Hex): Promise<OfferReceiptIssuer> {
  const signer = await createTypedDataSigner(privateKey);
  const issuerOf = <Terms extends object>(struct: FlatStruct) => {
    const sign = signer.signerOf(struct);
    return (terms: Terms): Signed<Terms> => {
      const payload = { version: 1, ...terms } as const;
      return { format: 'eip712', payload, signature: sign(payload as unknown as FlatMessage) };
    };
  };
  return { address: signer.address, issueOffer: issuerOf(offerStruct), issueReceipt: issuerOf(receiptStruct) };
}

const offerStruct: FlatStruct = {
  domain: { name: 'x402 offer', version: '1', chainId: 1 },
  primaryType: 'Offer',
  fields: [
    { name: 'version', type: 'uint256' },
    { name: 'resourceUrl', type: 'string' },
    { name: 'scheme', type: 'string' },
    { name: 'network', type: 'string' },
    { name: 'asset', type: 'string' },
    { name: 'payTo', type: 'string' },
    { name: 'amount', type: 'string' },
    { name: 'validUntil', type: 'uint256' },
  ],
};

const receiptStruct: FlatStruct = {
  domain: { name: 'x402 receipt', version: '1', chainId: 1 },
  primaryType: 'Receipt',
  fields: [
    { name: 'version', type: 'uint256' },
    { name: 'network', type: 'string' },
    { name: 'resourceUrl', type: 'string' },
    { name: 'payer', type: 'string' },
    { name: 'issuedAt', type: 'uint256' },
    { name: 'transaction', type: 'string' },
  ],
};
