import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { ContractOperation } from '../../src/contract/contract.js';
import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import type { PaymentStatus } from '../../generated/types.gen.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { PaymentPayload } from '../../src/payments/gate/read-payment.js';
import { publicPaymentId } from '../../src/payments/ledger/payment-row.js';
import { nothingMatches } from '../support/nothing-matches.js';
import type { ChallengeBody } from '../support/pay.js';
import { type Check, Untried } from './check.js';
import type { LiveValues } from './live-values.js';
import type { Purse, SignInChallenge } from './purse.js';
import type { Answer, Target } from './target.js';

/** What must hold of a paid operation. Without a purse nothing is bought, and the checks that would say why. */
export function createPaidChecks(
  target: Target,
  live: LiveValues,
  operation: ContractOperation,
  purse: Purse | undefined,
): readonly Check[] {
  const { path, priceUsd = '' } = operation;
  const price = toAtomicUnits(priceUsd);
  const at = live.pathOf(operation);
  const ask = (where: string, payment?: string, headers: Record<string, string> = {}) =>
    target.ask(operation, where, {
      headers: { ...headers, ...(payment === undefined ? {} : { 'PAYMENT-SIGNATURE': payment }) },
    });

  async function readOffer(where: string): Promise<ChallengeBody> {
    const answer = await ask(where);
    assert.equal(answer.status, 402, `${where} answers ${answer.status}`);
    return readChallenge(answer);
  }

  function openPurse(): Purse {
    if (purse === undefined) throw new Untried('Nobody pays: give the key of an account in PRIVATE_KEY.');
    if (price > purse.maxPerCall) throw new Untried(`It costs $${priceUsd}; raise --max to buy it.`);
    return purse;
  }

  return [
    {
      name: `${path} asks for $${priceUsd}, in the header as in the body`,
      run: async () => {
        const answer = await ask(at);
        assert.equal(answer.status, 402);
        const offer = readChallenge(answer);
        const [accepted] = offer.accepts;
        assert.equal(accepted?.amount, price.toString());
        assert.equal(accepted.scheme, 'exact');
        assert.deepEqual((answer.body as { accepts?: unknown }).accepts, offer.accepts);
        assert.ok(new URL(offer.resource.url).pathname.startsWith('/api/'));
      },
    },
    {
      name: `${path} gives nothing for a payment that nobody has signed`,
      run: async () => {
        for (const header of ['x', Buffer.from('{"x402Version":2}').toString('base64')]) {
          const { status } = await ask(at, header);
          assert.ok([400, 402].includes(status), `it answers ${status}`);
        }
      },
    },
    {
      name: `${path} bills nothing where nothing matches, and once where something does`,
      run: async () => {
        const { sign } = openPurse();
        const offer = await readOffer(at);
        const nowhere = nothingMatches[path] ?? at;
        // It names neither: what it may not buy here it can buy there.
        const payment = await sign({ accepts: offer.accepts });
        const first = await ask(nowhere, payment);
        // What matches after all is bought there.
        const where = first.status === 404 ? at : nowhere;
        const bought = where === nowhere ? first : await ask(where, payment);
        if (bought.status === 404) throw new Untried('There is nothing to sell now; nothing was billed.');
        assert.equal(bought.status, 200, bought.text.slice(0, 300));
        const receipt = readHeader(bought, 'payment-response') as { success?: unknown; transaction?: unknown };
        assert.deepEqual([receipt.success, typeof receipt.transaction], [true, 'string']);
        assertDigest(bought);
        const again = await ask(where, payment);
        assert.ok([402, 409].includes(again.status), `the same payment is answered ${again.status}`);
        const { state, transaction } = await readPayment(target, payment, offer);
        assert.deepEqual([state, transaction], ['settled', receipt.transaction]);
        const tag = bought.headers.get('etag') ?? assert.fail('There is no ETag.');
        if (operation.replies.has(304))
          assert.equal((await ask(where, undefined, { 'If-None-Match': tag })).status, 304);
      },
    },
    {
      name: `${path} gives a reply again, for the payment with its identifier and to the wallet that paid, and the rest free`,
      run: async () => {
        const { sign, signIn } = openPurse();
        const isList = operation.parameters.some(({ name }) => name === 'limit');
        const where = isList ? `${at}${at.includes('?') ? '&' : '?'}limit=1` : at;
        const offer = await readOffer(where);
        const identifier = `black-box-${randomBytes(12).toString('hex')}`;
        const payment = await sign(offer, identifier);
        const bought = await ask(where, payment);
        if (bought.status === 404) throw new Untried('There is nothing to sell now; nothing was billed.');
        assert.equal(bought.status, 200, bought.text.slice(0, 300));
        const again = await ask(where, payment);
        assert.deepEqual([again.status, again.text], [200, bought.text]);
        assert.deepEqual(readHeader(again, 'payment-response'), readHeader(bought, 'payment-response'));
        assert.equal((await ask(where, await sign(offer, identifier))).status, 409);
        await assertToldAgain(target, bought, paymentIdIn(payment, offer), signIn);
        if (isList) await assertContinued(target, bought);
      },
    },
  ];
}

function readChallenge(answer: Answer): ChallengeBody {
  return readHeader(answer, 'payment-required') as ChallengeBody;
}

function readHeader({ headers }: Answer, name: string): unknown {
  const header = headers.get(name) ?? assert.fail(`There is no ${name} header.`);
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
}

/** Source: RFC 9530; over the JSON as it is before compression. */
function assertDigest({ headers, text }: Answer): void {
  const digest = createHash('sha256').update(text).digest('base64');
  assert.equal(headers.get('repr-digest'), `sha-256=:${digest}:`);
}

/** What the server says of a payment, by the id that its buyer computes. */
async function readPayment(target: Target, payment: string, offer: ChallengeBody): Promise<PaymentStatus> {
  const { status, body } = await askAbout(target, 'getPayment', { payment_id: paymentIdIn(payment, offer) });
  assert.equal(status, 200);
  // The answer was held against the contract.
  return body as PaymentStatus;
}

/** The wallet that paid gets the reply again, and nobody without its proof. */
async function assertToldAgain(target: Target, bought: Answer, id: string, signIn: Purse['signIn']): Promise<void> {
  const refused = await askAbout(target, 'getPaymentResponse', { payment_id: id });
  assert.equal(refused.status, 402);
  const proof = await signIn(refused.body as SignInChallenge);
  const told = await askAbout(target, 'getPaymentResponse', { payment_id: id }, { 'SIGN-IN-WITH-X': proof });
  assert.deepEqual([told.status, told.text], [200, bought.text]);
}

/** The next page of a list is free, and told to be unchanged. */
async function assertContinued(target: Target, bought: Answer): Promise<void> {
  const next = /^<([^>]+)>; rel="next"$/.exec(bought.headers.get('link') ?? '')?.[1];
  if (next === undefined) return;
  const token = new URL(next, 'http://localhost').pathname.split('/').at(-1) ?? '';
  const page = await askAbout(target, 'getPage', { token });
  assert.equal(page.status, 200);
  const headers = { 'If-None-Match': page.headers.get('etag') ?? assert.fail('There is no ETag.') };
  assert.equal((await askAbout(target, 'getPage', { token }, headers)).status, 304);
}

function askAbout(
  target: Target,
  operationId: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const operation = target.findOperation(operationId);
  return target.ask(
    operation,
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? ''),
    { headers },
  );
}

function paymentIdIn(payment: string, { accepts: [accepted] }: ChallengeBody): string {
  const { payload } = JSON.parse(Buffer.from(payment, 'base64').toString('utf8')) as PaymentPayload;
  const { from, nonce } = payload.authorization;
  if (accepted === undefined) return assert.fail('The challenge accepts nothing.');
  const [asset, payer] = [accepted.asset.toLowerCase() as Hex, from.toLowerCase() as Hex];
  return publicPaymentId({ network: accepted.network, asset, payer, nonce });
}
