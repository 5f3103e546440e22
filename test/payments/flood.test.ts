import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createAuthorizationVerifier } from '../../src/chain/eip3009.js';
import { networks } from '../../src/chain/networks.js';
import { payTo } from '../../src/demo/chain/accounts.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import { ServiceError } from '../../src/errors.js';
import { statusOf } from '../../src/operations/problem.js';
import { createOperationGate, type OperationGate } from '../../src/payments/gate.js';
import type { PaymentPayload } from '../../src/payments/payment-header.js';
import { createClientIdHash } from '../../src/payments/payment-identifier.js';
import { encodePayment, signPayment } from '../support/pay.js';
import { payloadIn } from './shop.js';

const contract = loadContract();
const validators = createValidators(contract);
const floodSize = 10_000;

/** Bytes that look random and are the same in every run. */
function bytes(seed: number, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${seed} ${block}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

describe('a flood of worthless payments', () => {
  let gate: OperationGate;
  let good: PaymentPayload;

  before(async () => {
    const network = networks.find(({ isLocal }) => isLocal);
    const operation = contract.operations.find(({ operationId }) => operationId === 'listDeals');
    assert.ok(network && operation);
    const verifier = await createAuthorizationVerifier({
      ...network.domain,
      chainId: network.chainId,
      verifyingContract: network.asset,
    });
    const never = (): never => assert.fail('nobody may be asked');
    gate = createOperationGate(operation, 50_000n, {
      terms: { network, payTo: payTo.address },
      publicBaseUrl: 'http://127.0.0.1:4021',
      serviceName: 'test',
      findObstacle: () => undefined,
      settler: { verify: never, settle: never, close: never },
      evidence: { find: never },
      machine: { find: never, charge: never, resume: never },
      verifier,
      hashClientId: createClientIdHash('secret'),
      isPaymentPayload: validators.at<PaymentPayload>('#/components/schemas/PaymentPayload'),
      now: () => new Date(),
    });
    good = payloadIn(await signPayment(gate.challenge.members));
  });

  async function refusalOf(header: string): Promise<ServiceError> {
    try {
      await gate.admit({ paymentSignatures: [header], headOnly: false }, '[]', []);
    } catch (error) {
      assert.ok(error instanceof ServiceError, String(error));
      return error;
    }
    return assert.fail(`admitted: ${header.slice(0, 60)}`);
  }

  it(`asks neither the ledger nor the chain about ${floodSize} malformed headers`, async () => {
    const text = JSON.stringify(good);
    for (let seed = 0; seed < floodSize; seed++) {
      const noise = bytes(seed, 40);
      const cut = noise.readUInt16BE(0) % text.length;
      const shapes = [
        noise.toString('latin1'),
        noise.toString('base64'),
        Buffer.from(text.slice(0, cut)).toString('base64'),
        encodePayment({ ...good, payload: { ...good.payload, authorization: noise.toString('hex') } }),
        encodePayment(noise.toJSON().data),
      ];
      const { reason } = await refusalOf(shapes[seed % shapes.length] ?? '');
      assert.ok([400, 402].includes(statusOf(reason)), reason);
    }
  });

  it(`asks neither the ledger nor the chain about ${floodSize} badly signed payments`, async () => {
    for (let seed = 0; seed < floodSize; seed++) {
      const v = seed % 2 === 0 ? '1b' : '1c';
      const { payload } = good;
      const changed =
        seed % 3 === 0
          ? { ...payload, signature: `0x${bytes(seed, 64).toString('hex')}${v}` }
          : { ...payload, authorization: { ...payload.authorization, nonce: `0x${bytes(seed, 32).toString('hex')}` } };
      const { reason, details } = await refusalOf(encodePayment({ ...good, payload: changed }));
      assert.equal(reason, 'payment_invalid');
      assert.equal(details.paymentError, 'invalid_exact_evm_payload_signature');
    }
  });
});
