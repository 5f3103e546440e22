import assert from 'node:assert/strict';
import { encodeErrorResult, parseAbi } from 'viem';
import { readRefusal } from '../../../src/payments/settlement/relayer/read-refusal.js';

const encode = (text: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [text] });

describe('readRefusal', () => {
  it("reads each of USDC's texts", () => {
    const reasons = [
      ['FiatTokenV2: authorization is not yet valid', 'invalid_exact_evm_payload_authorization_valid_after'],
      ['FiatTokenV2: authorization is expired', 'invalid_exact_evm_payload_authorization_valid_before'],
      ['FiatTokenV2: authorization is used or canceled', 'nonce_used'],
      ['FiatTokenV2: invalid signature', 'invalid_exact_evm_payload_signature'],
      ["ECRecover: invalid signature 's' value", 'invalid_exact_evm_payload_signature'],
      ['ERC20: transfer amount exceeds balance', 'insufficient_funds'],
      ['Pausable: paused', 'invalid_transaction_state'],
      ['Blacklistable: account is blacklisted', 'invalid_transaction_state'],
    ];
    for (const [text = '', reason] of reasons) assert.equal(readRefusal(encode(text))?.reason, reason, text);
  });

  it('never repeats a text that it does not know', () => {
    const refusal = readRefusal(encode('<script>pay me</script>'));
    assert.equal(refusal?.reason, 'invalid_transaction_state');
    assert.doesNotMatch(refusal.detail, /script/);
    assert.equal(readRefusal('0xdeadbeef')?.reason, 'invalid_transaction_state');
  });

  it('reads nothing from nothing', () => {
    assert.equal(readRefusal('0x'), undefined);
  });
});
