import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ContractOperation } from '../../src/contract/contract.js';
import { publicPaymentId } from '../../src/payments/ledger/payment-row.js';
import { addDistress, sampleReplies } from '../contract/sample-replies.js';
import { isNode } from '../contract/schema-nodes.js';
import { signIn, type SignInRequest } from '../payments/sign-in.js';
import { nextLink } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { livePath } from '../support/live-path.js';
import { nothingMatches } from '../support/nothing-matches.js';
import { buy } from '../support/pay.js';
import { isPlain } from './check-plain.js';
import { otherView, repliesDirectory } from './replies.js';

// `npm run record:replies`: real replies of every data operation and of errors, shortened, for the tests of the
// documents for generators. A new operation needs no line here: `sampleReplies` tells what it is asked.

const hourMs = 3_600_000;

/** The texts by file; what is recorded stays until all is there. */
const recorded = new Map<string, string>();

await recordUnpublished();
await recordPublished();
rmSync(repliesDirectory, { recursive: true, force: true });
mkdirSync(repliesDirectory, { recursive: true });
for (const [name, text] of recorded) writeFileSync(`${repliesDirectory}/${name}`, text);
process.exit(0);

/** What is answered before there is data: empty lists, absent values, and 503. */
async function recordUnpublished(): Promise<void> {
  const app = await startTestApp({ withData: false });
  for (const operation of dataOperations(app)) {
    const reply = await fetch(app.url + livePath(app, operation.path));
    if (reply.status === 200) await note(operation, reply, 'empty');
    else if (operation.operationId === 'listDeals') await note(operation, reply, 'unpublished');
  }
  await app.stop();
}

async function recordPublished(): Promise<void> {
  const settler = createInstantSettler();
  let aheadMs = 0;
  const app = await startTestApp({ settler, now: () => new Date(Date.now() + aheadMs) });
  await addDistress(app);
  const bought = await buy(`${app.url}/api/deals/basic?limit=1`);
  const next = app.url + (nextLink(bought) ?? '');
  const sent = settler.settled.at(-1);
  const { id: network, asset } = app.selling.terms.network;
  const paid = sent && publicPaymentId({ network, asset, payer: sent.from, nonce: sent.nonce });
  const again = `${app.url}/api/payments/${String(paid)}/response`;
  for (const operation of dataOperations(app)) {
    const { operationId, path, priceUsd } = operation;
    const at = app.url + livePath(app, path);
    if (priceUsd !== undefined) {
      await note(operation, await fetch(at), 'unpaid');
      const nothing = nothingMatches[path];
      if (nothing !== undefined) await note(operation, await buy(app.url + nothing), 'nothing');
    }
    if (operationId === 'getPage') await note(operation, await fetch(next), 'next');
    else if (operationId === 'getPaymentResponse') {
      const asked = await fetch(again);
      await note(operation, asked.clone(), 'unsigned');
      const { extensions } = (await asked.json()) as { extensions: { 'sign-in-with-x': SignInRequest } };
      const proof = await signIn(extensions['sign-in-with-x']);
      await note(operation, await fetch(again, { headers: { 'SIGN-IN-WITH-X': proof } }), 'signed');
    } else keepFewAndMany(operation, await sampleReplies(app, operation));
  }
  const byId = (id: string) => dataOperations(app).find(({ operationId }) => operationId === id) as ContractOperation;
  await note(byId('getMeta'), await fetch(`${app.url}/api/meta?nonsense=1`), 'faulty');
  await note(byId('getReport'), await fetch(`${app.url}/api/deals/nonsense/report`), 'no-id');
  await note(byId('listDeals'), await fetch(`${app.url}/api/deals?min_unit=4`), 'faulty');
  await note(byId('getPayment'), await fetch(`${app.url}/api/payments/0x${'0'.repeat(64)}`), 'unknown');
  aheadMs = hourMs;
  await note(byId('getPage'), await fetch(next), 'expired');
  await app.stop();
}

function dataOperations(app: TestApp): readonly ContractOperation[] {
  return app.contract.operations.filter(({ path }) => path.startsWith('/api/'));
}

async function note({ operationId }: ContractOperation, reply: Response, name: string): Promise<void> {
  write(operationId, reply.status, name, await reply.json());
}

/** Of each kind of lead, else of all, the reply in which the least is absent and the one in which the most is. */
function keepFewAndMany({ operationId, path }: ContractOperation, replies: readonly unknown[]): void {
  const kinds = new Map<string, unknown[]>();
  for (const reply of replies.flatMap(byLeadType)) {
    const kind = (isPlain(path, reply) ? '' : otherView) + kindOf(reply);
    kinds.set(kind, [...(kinds.get(kind) ?? []), reply]);
  }
  for (const [kind, each] of kinds) {
    const [few, many] = extremes(each);
    write(operationId, 200, `${kind}few`, few);
    if (many !== few) write(operationId, 200, `${kind}many`, many);
  }
}

/** A list of leads as one list for each kind. */
function byLeadType(reply: unknown): unknown[] {
  if (!Array.isArray(reply) || kindOf(reply) === '') return [reply];
  const kinds = [...new Set(reply.map((each) => kindOf([each])))];
  return kinds.map((kind) => reply.filter((each) => kindOf([each]) === kind));
}

function kindOf(reply: unknown): string {
  const [first] = Array.isArray(reply) ? (reply as unknown[]) : [reply];
  const { lead_type: type, lead = {} } = (first ?? {}) as { lead_type?: string; lead?: { lead_type?: string } };
  const kind = type ?? lead.lead_type;
  return kind === undefined ? '' : `${kind}-`;
}

function write(operationId: string, status: number, name: string, reply: unknown): void {
  recorded.set(`${operationId}.${status}.${name}.json`, `${JSON.stringify(shorten(reply), null, 1)}\n`);
}

/** Lists of records keep two: the one in which the least is absent and the one in which the most is. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.length > 2 && value.every(isNode) ? [...new Set(extremes(value))] : value;
    return kept.map(shorten);
  }
  if (!isNode(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
}

function extremes(values: readonly unknown[]): [unknown, unknown] {
  const counted = values.map((value) => ({ value, nulls: JSON.stringify(value).split(':null').length }));
  counted.sort((one, other) => one.nulls - other.nulls);
  return [counted[0]?.value, counted.at(-1)?.value];
}
