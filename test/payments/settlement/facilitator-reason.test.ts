import assert from 'node:assert/strict';
import { classifyReason, type ReasonSubject } from '../../../src/payments/settlement/facilitator/facilitator-reason.js';

const subjects: Readonly<Record<ReasonSubject, readonly string[]>> = {
  terms: [
    'invalid_scheme',
    'unsupported_scheme',
    'invalid_network',
    'invalid_x402_version',
    'invalid_exact_evm_scheme',
  ],
  payment: [
    'invalid_payload',
    'eip6492_factory_not_allowed',
    'invalid_exact_evm_payload_authorization_from_address_kyt',
    'insufficient_funds',
    'invalid_exact_evm_insufficient_balance',
    'invalid_exact_evm_payload_signature',
    'invalid_exact_evm_nonce_already_used',
    'invalid_exact_evm_transaction_failed',
    'invalid_transaction_state',
  ],
  undecided: ['settlement_pending', 'unexpected_settle_error', 'unexpected_verify_error', 'timeout', '', 'whatever'],
};

describe("a facilitator's reason", () => {
  for (const [subject, reasons] of Object.entries(subjects)) {
    it(`is about: ${subject}`, () => {
      for (const reason of reasons) assert.equal(classifyReason(reason), subject, reason);
    });
  }
});
