import assert from 'node:assert/strict';
import { startTestChain } from '../../support/chain.js';
import { createSettlerRig } from './settler-rig.js';

describe('a relayer whose network asks for more than it may offer', () => {
  it('sends nothing', async () => {
    const chain = await startTestChain();
    const rig = await createSettlerRig(chain);
    try {
      const settler = rig.createSettler({ settings: { maxFeeWei: 1_000n } });
      const outcome = await settler.settle(await chain.signAuthorization());
      assert.ok(outcome.outcome === 'failed');
      assert.equal(outcome.reason, 'unexpected_settle_error');
    } finally {
      await rig.close();
      await chain.stop();
    }
  });
});
