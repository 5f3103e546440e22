import type { Validators } from '../../contract/validators.js';
import type { Secrets } from '../../secrets/secrets.js';
import type { Payments } from '../open-payments.js';
import {
  createPaymentStatusService,
  type PaymentStatusService,
  type PaymentStatusServicePorts,
} from './payment-status.js';
import { createReplyTokens } from './reply-token.js';
import { createWalletProofs, type WalletProof } from './wallet-proof.js';

export interface OpenPaymentStatusPorts extends Pick<PaymentStatusServicePorts, 'keepRepliesMs' | 'now' | 'log'> {
  readonly payments: Pick<Payments, 'ledger' | 'machine' | 'terms' | 'client'>;
  readonly validators: Validators;
  readonly publicBaseUrl: string;
  readonly secrets: Secrets;
}

/** Opens the payment status of a running service. */
export function openPaymentStatus(ports: OpenPaymentStatusPorts): PaymentStatusService {
  const { payments, validators, secrets } = ports;
  const { ledger, machine, client } = payments;
  return createPaymentStatusService({
    ...ports,
    ledger,
    machine,
    proofs: createWalletProofs({ ...ports, network: payments.terms.network, client }),
    tokens: createReplyTokens(secrets),
    isWalletProof: validators.at<WalletProof>('#/components/schemas/WalletProof'),
  });
}
