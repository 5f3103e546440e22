import assert from 'node:assert/strict';
import type { Decoded } from '../../../src/contract/paths.js';
import type { Recall } from '../../../src/payments/gate/recall.js';
import { toAtomicUnits } from '../../../src/payments/chain/token-amount.js';
import { ServiceError } from '../../../src/errors.js';
import { createUnlimited } from '../../simulation/instance.js';
import { createPurchase, terms, verifier } from '../../simulation/purchase.js';
import { challenges, createGate, isPaymentPayload, priceOf, publicBaseUrl } from '../../simulation/shell.js';

const operationId = 'listDeals';
const nowSeconds = 1_800_000_000n;
const asked: Decoded = {
  ...{ canonical: '', resource: '/api/deals', faults: [] },
  ...{ query: {}, path: {} },
};

describe('a gate while a restored ledger rests', () => {
  const windows = {
    'is over by its clock': [-600n, -60n],
    'begins later by its clock': [60n, 300n],
    'ends too late by its clock': [-60n, 4_000n],
  } as const;
  for (const [what, [from, to]] of Object.entries(windows))
    it(`does not refuse a signed payment whose window ${what}: it may be sold already`, async () => {
      const amount = toAtomicUnits(priceOf(operationId));
      const wanted = { operationId, query: '' };
      const window = { validAfter: nowSeconds + from, validBefore: nowSeconds + to };
      const { header } = createPurchase('one', wanted, {
        payer: 1,
        nonce: 1,
        amount,
        identifier: undefined,
        ...window,
      });
      const request = { paymentSignatures: [header], walletProofs: [], headOnly: false, address: '192.0.2.1' };
      const found = await openGate()
        .admit(request, asked)
        .catch((error: unknown) => error);
      assert.ok(found instanceof ServiceError);
      assert.deepEqual([found.reason, found.details.payment], ['chain_unavailable', 'unknown']);
    });
});

function openGate() {
  const admitOrRefuse: Recall['admitOrRefuse'] = async (_, refusal) => {
    throw refusal;
  };
  const never = () => assert.fail('nothing is settled');
  return createGate(operationId, {
    ...{ terms, publicBaseUrl, challenges, verifier, isPaymentPayload },
    settlementProblem: () => ({ id: 'ledger.behind', by: 'chain', why: 'It rests.', mayHaveSent: true }),
    mayHaveSent: () => true,
    settler: { by: 'chain', verify: never, settle: never, close: async () => undefined },
    machine: { charge: never, find: async () => undefined, resume: never, deliver: never },
    recall: { recall: async () => undefined, admitOrRefuse },
    wallets: { isSigned: async () => false },
    limits: createUnlimited(),
    hashClientId: () => undefined as never,
    now: () => new Date(Number(nowSeconds) * 1000),
  });
}
