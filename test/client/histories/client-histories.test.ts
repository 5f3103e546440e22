import assert from 'node:assert/strict';
import { createMemoryStorage } from '../../../src/client/payments/payment-storage.js';
import { runClientHistory, type Damage } from './client-history.js';
import { deep } from '../../support/depth.js';

const histories = deep(1_000, 150);
/** A bug that does not appear within this many histories counts as missed. */
const historiesPerDamage = 300;
/** Each fault occurs at least this often. */
const minFaults = deep(50, 5);

const faults = [
  'client dies',
  'request lost',
  'request late',
  'a proxy answers',
  'reply lost',
  'reply breaks off',
  'turned away',
  'payer turned away',
  'no settler',
  'handler fails',
  'nothing matches',
  'payment refused',
  'dearer for a moment',
  'ledger lost',
  'settlement failed',
  'outcome unknown',
  'service dies after settling',
  'service dies with an open outcome',
];

const empty = '{"version":1,"payments":[]}';

const damages: readonly Damage[] = [
  { name: 'forgets its payments when it dies', storage: () => createMemoryStorage() },
  {
    name: 'keeps its payments in two steps',
    storage: (lasting, scheduler) => ({
      async update(change) {
        let text: string | undefined;
        await lasting.update((kept) => (text = kept) ?? empty);
        const next = change(text);
        await new Promise<void>((resolve) => void scheduler.after(3_000, resolve));
        await lasting.update(() => next);
      },
    }),
  },
  {
    name: 'takes no answer for a refusal',
    fetch: (fetch) => (input) => fetch(input).catch(() => refusal()),
  },
  {
    name: 'does not show again the name of its payment',
    fetch: (fetch) => (input) => fetch(withoutIdentifier(input as Request)),
  },
];

describe('the client in simulated histories of faults', function () {
  this.timeout(600_000);
  const counts = new Map<string, number>();

  it(`pays nothing twice, exceeds no cap, and gets every paid reply in the end, in ${histories} of them`, async () => {
    const broken: string[] = [];
    for (let seed = 1; seed <= histories; seed++) {
      const promise = await runClientHistory({ seed, counts });
      if (promise !== undefined) broken.push(`${seed}: ${promise}`);
    }
    assert.deepEqual(broken, []);
  });

  it('meets every fault often', () => {
    assert.deepEqual([...counts.keys()].sort(), [...faults].sort());
    assert.deepEqual(
      [...counts].filter(([, count]) => count < minFaults),
      [],
    );
  });

  for (const damage of damages) {
    it(`catches a client that ${damage.name}`, async () => {
      for (let seed = 1; seed <= historiesPerDamage; seed++)
        if ((await runClientHistory({ seed, damage })) !== undefined) return;
      assert.fail(`not in ${historiesPerDamage} histories`);
    });
  }
});

/** The reply to a payment that is refused for good. */
function refusal(): Response {
  const body = {
    reason: 'payment_invalid',
    detail: 'Refused.',
    payment: 'not_settled',
    retryable: false,
    retry_same_payment: false,
    request_id: 'r1',
    errors: [],
    next: [],
  };
  return new Response(JSON.stringify(body), { status: 400 });
}

/** Every payment presented a second time lacks its extensions. */
const shown = new Set<string>();
function withoutIdentifier(request: Request): Request {
  const header = request.headers.get('payment-signature');
  if (header === null) return request;
  if (!shown.has(header)) {
    shown.add(header);
    return request;
  }
  const { extensions: _, ...payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as Record<string, unknown>;
  const headers = new Headers(request.headers);
  headers.set('payment-signature', Buffer.from(JSON.stringify(payload)).toString('base64'));
  return new Request(request, { headers });
}
