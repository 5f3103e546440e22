import assert from 'node:assert/strict';
import { loadContract } from '../../src/contract/load-contract.js';
import type { ContractDocument } from '../../src/contract/contract.js';
import { ContractBreach, createProver } from '../../src/contract/prover.js';
import { concatBytes } from '../../src/contract/rendered.js';
import { createValidators, type Validators } from '../../src/contract/validators.js';

const contract = loadContract();

/** Checks by the contract with another member in the schema of its decimals. */
function checks(change: object = {}): Validators {
  const document = structuredClone(contract.document) as ContractDocument & {
    components: { schemas: Record<string, object> };
  };
  Object.assign(document.components.schemas['DecimalString'] ?? assert.fail(), change);
  return createValidators({ ...contract, document });
}

describe('the proof of a text that is stored', () => {
  const validators = checks();
  const prover = createProver<string>(validators, 'DecimalString');

  it('holds for the very text, the schema and the contract that it was made of', () => {
    const text = prover.prove('12.50');
    const seal = prover.sealOf(text);
    assert.equal(Buffer.from(concatBytes(prover.load(text, seal))).toString(), text);
    assert.equal(createProver<string>(checks(), 'DecimalString').sealOf(text), seal);
    assert.notEqual(createProver<string>(validators, 'StateCode').sealOf(text), seal);
    assert.notEqual(createProver<string>(checks({ maxLength: 9 }), 'DecimalString').sealOf(text), seal);
    assert.equal(createProver<string>(checks({ description: 'A sum.' }), 'DecimalString').sealOf(text), seal);
  });

  it('is not made again where the seal tells of it, and always where it does not', () => {
    const seal = prover.sealOf(prover.prove('12.50'));
    const broken = '"twelve"';
    for (const wrong of [undefined, '', seal]) assert.throws(() => prover.load(broken, wrong), ContractBreach);
    // Only whoever has proven it has its seal.
    const own = prover.sealOf(broken as ReturnType<typeof prover.prove>);
    assert.equal(Buffer.from(concatBytes(prover.load(broken, own))).toString(), broken);
  });
});
