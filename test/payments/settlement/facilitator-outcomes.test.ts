import assert from 'node:assert/strict';
import { faults, sendJson } from '../../support/mock-facilitator.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openFacilitatorShop, type FacilitatorShop } from '../facilitator-shop.js';
import { authorizationIn } from '../shop.js';

const path = '/api/deals';
const query = `${path}?state=OH`;

describe('a payment through a facilitator', () => {
  let at: FacilitatorShop;
  let header: string;

  before(async () => {
    at = await openFacilitatorShop();
  });
  beforeEach(async () => {
    at.reset();
    header = await at.shop.sign(path);
  });
  after(() => at?.close());

  const pay = (): Promise<Answer> => at.shop.pay(query, header);
  const settlements = (): Promise<number> => at.shop.settlementsOf(header);

  function assertUnknown(answer: Answer): void {
    assertRefused(answer, 503, 'settlement_unknown');
    assert.equal(answer.problem?.payment, 'unknown');
    assert.equal(answer.problem?.retry_same_payment, true);
  }

  /** Whatever went wrong, the buyer who comes back with the same payment gets the data, charged once. */
  async function assertPaidOnReturn(): Promise<void> {
    at.reset();
    assertPaid(await pay());
    assert.equal(await settlements(), 1);
    assertRefused(await pay(), 402, 'payment_already_used');
  }

  it('is verified and settled by the official code, and gives the data with the transaction', async () => {
    const answer = await pay();
    assertPaid(answer);
    assert.equal(await settlements(), 1);
    const row = await at.shop.rowOf(header);
    assert.equal(row?.state, 'settled');
    assert.equal(row.settlement?.transaction, answer.settlement?.transaction);
  });

  it('is taken with v 0 or 1 as well, which the official facilitator itself would send in vain', async () => {
    header = await at.shop.sign(path, {
      alter: (payload) => {
        const { payload: inner } = payload as { payload: { signature: string } };
        const v = Number.parseInt(inner.signature.slice(130), 16) - 27;
        return { ...payload, payload: { ...inner, signature: `${inner.signature.slice(0, 130)}0${v}` } };
      },
    });
    assertPaid(await pay());
  });

  describe('is delivered at once, charged once, when the chain shows the transfer and the facilitator', () => {
    const harmless = [
      'failsAfterwards',
      'resetsAfterwards',
      'cutsItsAnswer',
      'sendsNoJson',
      'sendsNothing',
      'sendsHtml',
      'sendsTooMuch',
      'sendsAnotherSchema',
      'answersTooLate',
      'saysPending',
      'saysFailed',
      'namesAnotherPayer',
      'namesNoTransaction',
      'namesAnotherTransaction',
    ] as const;
    for (const name of harmless) {
      it(name, async () => {
        at.first.behaviours = { '/settle': faults[name] };
        assertPaid(await pay());
        assert.equal(await settlements(), 1);
        assertRefused(await pay(), 402, 'payment_already_used');
      });
    }
  });

  describe('is unknown, never a fresh 402, and delivered later, when the chain shows nothing and the facilitator', () => {
    beforeEach(() => at.hurry());

    for (const name of ['lies', 'fails', 'resetsBefore', 'saysUndecided', 'answersTooLate'] as const) {
      it(name, async () => {
        at.first.behaviours = { '/settle': name === 'answersTooLate' ? () => undefined : faults[name] };
        assertUnknown(await pay());
        assert.equal(await settlements(), 0);
        assert.equal((await at.shop.rowOf(header))?.state, 'claimed');
        await assertPaidOnReturn();
      });
    }

    it('names the transaction of another payment', async () => {
      at.reset();
      const other = await at.shop.pay(path, await at.shop.sign(path));
      assertPaid(other);
      const transaction = other.settlement?.transaction;
      at.first.behaviours = { '/settle': (response) => sendJson(response, 200, { success: true, transaction }) };
      assertUnknown(await pay());
      await assertPaidOnReturn();
    });

    const refusals = {
      'says that the payer has no funds, who has': 'insufficient_funds',
      'refuses by a rule of its own': 'invalid_exact_evm_payload_authorization_from_address_kyt',
      'does not take what is announced': 'invalid_network',
    };
    for (const [name, errorReason] of Object.entries(refusals)) {
      it(`${name}; its reason is told`, async () => {
        const answer = { success: false, errorReason, transaction: '' };
        at.first.behaviours = { '/settle': (response) => sendJson(response, 400, answer) };
        const told = await pay();
        assertUnknown(told);
        assert.match(told.problem?.detail ?? '', new RegExp(`\\(${errorReason}\\)`));
        assert.equal((await at.shop.rowOf(header))?.state, 'claimed');
        await assertPaidOnReturn();
      });
    }

    it('refuses it while the token refuses it too, and has sent it all the same', async () => {
      at.first.behaviours = {
        '/settle': async (response) => {
          await at.shop.chain.setPaused(true);
          sendJson(response, 200, { success: false, errorReason: 'invalid_exact_evm_transaction_failed' });
        },
      };
      const answer = await pay();
      await at.shop.chain.setPaused(false);
      assertUnknown(answer);
      // What was waiting for its block now gets into one.
      await at.shop.chain.submitElsewhere(at.shop.authorizationOf(header));
      await assertPaidOnReturn();
    });

    it('redirects: the payment is sent nowhere else', async () => {
      const before = at.second.calls.length;
      at.first.behaviours = {
        '/settle': (response) => void response.writeHead(307, { location: `${at.second.url}/settle` }).end(),
      };
      assertUnknown(await pay());
      assert.equal(at.second.calls.length, before);
      await assertPaidOnReturn();
    });
  });

  it('closes the shop when the facilitator takes none of its kind, not when it refuses each for itself', async () => {
    await refuseTogether('insufficient_funds');
    assert.equal(at.problem(), undefined);
    await refuseTogether('invalid_network');
    assert.equal(at.problem(), 'facilitator.reach');
  });

  /** Three payments, all of which are verified before the first is refused. */
  async function refuseTogether(errorReason: string): Promise<void> {
    const waiting: (() => void)[] = [];
    at.first.behaviours = {
      '/settle': (response) => {
        waiting.push(() => sendJson(response, 400, { success: false, errorReason }));
        if (waiting.length === 3) for (const answer of waiting) answer();
      },
    };
    const headers = await Promise.all([1, 2, 3].map(() => at.shop.sign(path)));
    const answers = await Promise.all(headers.map((each) => at.shop.pay(query, each)));
    answers.forEach(assertUnknown);
  }

  it('waits for a transfer that is said to have happened and is mined later', async () => {
    at.first.behaviours = {
      '/settle': (response) => {
        // The answer is written first; the chain hears of it afterwards.
        sendJson(response, 200, { success: true, transaction: `0x${'ab'.repeat(32)}` });
        response.on('close', () => void at.shop.chain.submitElsewhere(at.shop.authorizationOf(header)));
      },
    };
    assertPaid(await pay());
    assert.equal(await settlements(), 1);
  });

  it('waits until the transfer is as deep as it must be', async () => {
    at.demandDepth(5);
    assertPaid(await pay());
    const { blockNumber } = (await at.shop.rowOf(header))?.settlement ?? {};
    assert.ok(blockNumber);
    assert.ok((await at.shop.chain.client.getBlockNumber()) - blockNumber >= 4n);
  });

  it('stays unknown while the chain cannot be asked, whatever the facilitator says', async () => {
    at.hurry();
    at.first.behaviours = { '/settle': faults.namesNoTransaction };
    at.shop.faults.evidence.find = () => Promise.reject(new Error('down'));
    assertUnknown(await at.shop.pay(query, header));
  });

  describe('failed', () => {
    it('is 402 when the payer has cancelled meanwhile', async () => {
      at.first.behaviours = {
        '/settle': async (response, official) => {
          await at.shop.chain.cancelElsewhere(authorizationIn(header).nonce);
          sendJson(response, 200, await official());
        },
      };
      assertRefused(await pay(), 402, 'settlement_failed', 'invalid_transaction_state');
      assertRefused(await pay(), 402, 'payment_already_used');
    });
  });

  it('is the data when somebody else sends it first, and the facilitator calls the nonce used', async () => {
    at.first.behaviours = {
      '/settle': async (response, official) => {
        await at.shop.chain.submitElsewhere(at.shop.authorizationOf(header));
        sendJson(response, 200, await official());
      },
    };
    assertPaid(await pay());
    assert.equal(await settlements(), 1);
  });

  describe('verified', () => {
    it('by the second facilitator when the first does not answer', async () => {
      for (const fault of [faults.fails, faults.resetsBefore, faults.sendsHtml, faults.sendsNothing]) {
        header = await at.shop.sign(path);
        const before = at.second.bodiesOf('/verify').length;
        at.first.behaviours = { '/verify': fault };
        assertPaid(await pay());
        assert.equal(at.second.bodiesOf('/verify').length, before + 1);
      }
      assert.equal(at.second.bodiesOf('/settle').length, 0, 'the second one never settles');
    });

    it('by nobody: 503, nothing is written, and the payment is as good as before', async () => {
      at.first.behaviours = { '/verify': faults.fails };
      at.second.behaviours = { '/verify': faults.resetsBefore };
      const runs = at.shop.handlerRuns();
      const answer = await pay();
      assertRefused(answer, 503, 'facilitator_unavailable');
      assert.equal(answer.problem?.payment, 'not_settled');
      assert.equal(at.shop.handlerRuns(), runs);
      assert.equal(await at.shop.rowOf(header), undefined);
      at.reset();
      assertPaid(await pay());
    });

    it("is refused with a facilitator's reason, without asking another one", async () => {
      const invalidReason = 'invalid_exact_evm_payload_authorization_from_address_kyt';
      const before = at.second.calls.length;
      at.first.behaviours = { '/verify': (response) => sendJson(response, 200, { isValid: false, invalidReason }) };
      assertRefused(await pay(), 402, 'payment_invalid', invalidReason);
      assert.equal(at.second.calls.length, before);
      assert.equal(await at.shop.rowOf(header), undefined);
    });

    it('is 503 when no facilitator takes what we announce', async () => {
      const answer = { isValid: false, invalidReason: 'unsupported_scheme' };
      at.first.behaviours = { '/verify': (response) => sendJson(response, 200, answer) };
      assertRefused(await pay(), 503, 'facilitator_unavailable');
    });

    it('asks no facilitator about what the chain refuses', async () => {
      const before = at.first.calls.length;
      await at.shop.chain.setPaused(true);
      const answer = await pay();
      await at.shop.chain.setPaused(false);
      assertRefused(answer, 402, 'payment_invalid', 'invalid_transaction_state');
      assert.equal(at.first.calls.length, before);
    });
  });

  describe('with all that went wrong', () => {
    it('leaves no secret in the log', () => {
      assert.equal(at.first.calls[0]?.headers['x-api-key'], 'secret-of-the-facilitator');
      assert.ok(at.lines.length > 10);
      assert.doesNotMatch(at.lines.join(''), /secret-of|0x[0-9a-f]{130}|https?:/);
    });
  });
});
