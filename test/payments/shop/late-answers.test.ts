import assert from 'node:assert/strict';
import { assertToolRefused, connectAgent } from '../../transport/mcp/agent.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals?limit=1';

describe('a payment whose outcome takes long', () => {
  let shop: Shop;
  /** How long answers may take. */
  const patience: number[] = [];
  let [endPatience, goOn] = [() => undefined as void, () => undefined as void];

  before(async () => {
    shop = await openShop({
      replyTimer(callBack, delayMs) {
        patience.push(delayMs);
        endPatience = callBack;
        return undefined;
      },
    });
    shop.faults.settler.settle = async (...asked) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
        endPatience();
      });
      return shop.real.settler.settle(...asked);
    };
  });
  after(() => shop.close());

  it('is answered after 40 s, and what it brings then is there for the same payment', async () => {
    const header = await shop.sign(path);
    assertRefused(await shop.pay(path, header), 503, 'settlement_unknown');
    assert.deepEqual(patience, [40_000]);
    goOn();
    let answer: Answer;
    do answer = await shop.pay(path, header);
    while (answer.status === 409);
    assertPaid(answer);
  });

  it('is answered after 40 s as the result of a tool, too', async () => {
    const agent = await connectAgent(shop.app.url);
    try {
      const answer = await agent.call('basic_deals', {}, await agent.sign('basic_deals'));
      assertToolRefused(answer, 'settlement_unknown');
      assert.equal(patience.at(-1), 40_000);
    } finally {
      goOn();
      await agent.close();
    }
  });
});
