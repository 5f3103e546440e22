import { ServiceError, type NextStep } from '../../errors.js';
import type { Validators } from '../../contract/validators.js';
import type { Payments } from '../open-payments.js';
import { decodeJsonHeader } from '../json-header.js';
import type { Hex } from '../chain/eip3009.js';
import { createWalletProofs, type WalletProof, type WalletProofPorts, type WalletProofs } from './wallet-proof.js';

export interface PayerProofPorts {
  readonly proofs: WalletProofs;
  readonly isWalletProof: (value: unknown) => value is WalletProof;
}

/** The refusal of a caller without a proof. */
export interface ProofAsked {
  readonly detail: string;
  /** What is known of the payment. */
  readonly payment: 'settled' | 'unknown';
  readonly next?: readonly NextStep[];
}

export type AssertPayer = ReturnType<typeof createAssertPayer>;

/** Creates the check that the caller is the payer, by the values of the SIGN-IN-WITH-X header. */
export function createAssertPayer({ proofs, isWalletProof }: PayerProofPorts) {
  /**
   * @throws ServiceError `payment_already_used` (402) with a sign-in request if the proof is missing or wrong;
   *   `invalid_parameter` for a header that holds none
   */
  return async (
    headers: readonly string[],
    { paymentId, payer }: { readonly paymentId: string; readonly payer: Hex },
    { detail, ...known }: ProofAsked,
  ): Promise<void> => {
    const refuse = (why: string) =>
      new ServiceError('payment_already_used', why, {
        ...known,
        paymentId,
        paymentRequired: proofs.signInRequest(paymentId),
        paymentError: 'SIGN-IN-WITH-X header is required',
      });
    const malformed = (fault: string) => malformedHeader(fault, known.payment);
    const [header, ...others] = headers;
    if (header === undefined) throw refuse(detail);
    if (others.length > 0) throw malformed('may be sent once');
    const proof = decodeJsonHeader(header, malformed);
    if (!isWalletProof(proof)) throw malformed('does not hold a signed challenge of sign-in-with-x');
    const fault = await proofs.refuse(proof, paymentId, payer);
    if (fault !== undefined) throw refuse(`The proof is refused. ${fault} Sign the challenge in \`extensions\`.`);
  };
}

function malformedHeader(fault: string, payment: ProofAsked['payment']): ServiceError {
  const detail = `The SIGN-IN-WITH-X header ${fault}.`;
  const reason = 'invalid_parameter';
  const faults = [{ parameter: 'SIGN-IN-WITH-X', in: 'header', reason, detail }] as const;
  return new ServiceError(reason, detail, { faults, payment });
}

export interface OpenPayerProofPorts extends Pick<WalletProofPorts, 'secrets' | 'publicBaseUrl' | 'now'> {
  readonly payments: Pick<Payments, 'terms' | 'client'>;
  readonly validators: Validators;
}

/** Opens the check of a running service, for its payment status and its gates. */
export function openPayerProof({ payments, validators, ...ports }: OpenPayerProofPorts): AssertPayer {
  return createAssertPayer({
    proofs: createWalletProofs({ ...ports, network: payments.terms.network, client: payments.client }),
    isWalletProof: validators.at<WalletProof>('#/components/schemas/WalletProof'),
  });
}
