import { lowerHex, type Hex } from '../../src/payments/chain/eip3009.js';
import { publicPaymentId } from '../../src/payments/ledger/payment-row.js';
import { localToken } from '../client/mock-server.js';
import { createModelNetwork } from '../client/histories/model-network.js';
import { createModelService } from '../client/histories/model-service.js';
import { createRandom } from '../simulation/random.js';
import { createScheduler } from '../simulation/scheduler.js';
import { openTab, wantedItem, type ModelBrowser, type Tab } from './paying-model.js';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const troubleMs = 1_200_000;
const address: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** A bug that the orders must find. */
export type Damage = 'no locks' | 'keeps nothing' | undefined;

/**
 * One random order of what a person does who wants a list once: buy, refuse, reload, close, open a second tab, finish;
 * over a network that loses requests and replies. Returns the broken guarantee.
 */
export async function runOrder(seed: number, damage?: Damage): Promise<string | undefined> {
  const random = createRandom(seed, 'person');
  const scheduler = createScheduler(startMs, () => undefined);
  const charged: string[] = [];
  const signed: string[] = [];
  const service = createModelService({
    ...{ scheduler, random: createRandom(seed, 'service'), note: () => undefined },
    onCharge: ({ nonce }) => void charged.push(nonce),
  });
  service.calmDown();
  const network = createModelNetwork({
    ...{ scheduler, random: createRandom(seed, 'network'), note: () => undefined, service },
  });
  const browser: ModelBrowser = { kept: new Map(), purchases: new Map(), locks: new Map() };
  if (damage === 'no locks') browser.locks.get = () => undefined;
  const later = (ms: number) => new Promise<void>((resolve) => void scheduler.after(ms, resolve));
  let isCalm = false;

  async function answerWallet(method: string, params: readonly unknown[] = []): Promise<unknown> {
    if (method === 'eth_requestAccounts') return [address];
    if (method === 'eth_chainId') return '0x7a69';
    if (method === 'eth_call') return `0x${'0'.repeat(58)}989680`;
    await later(random.between(10, !isCalm && random.chance(0.2) ? 200_000 : 5_000));
    if (!isCalm && random.chance(0.25)) throw Object.assign(new Error('refused'), { code: 4001 });
    signed.push((JSON.parse(String(params[1])) as { message: { nonce: string } }).message.nonce);
    return `0x${'5e'.repeat(65)}`;
  }
  /** What a wallet answers to a closed tab, nobody hears. */
  const walletOf = (tab: Tab) => ({
    ...{ name: 'Test', rdns: 'test', icon: undefined },
    provider: {
      request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
        new Promise((resolve, reject) => {
          answerWallet(method, params).then(
            (value) => tab.isOpen && resolve(value),
            (error: unknown) => tab.isOpen && reject(error as Error),
          );
        }),
    },
  });

  let tabs: Tab[] = [];
  let opened = 0;
  const open = () => {
    const tab = openTab({ browser, scheduler, random: createRandom(seed, `tab ${++opened}`), fetch: network.fetch });
    if (damage === 'keeps nothing') browser.purchases.set = () => browser.purchases;
    tabs.push(tab);
    return tab;
  };
  const hasIt = () => browser.purchases.size > 0;
  const buy = (tab: Tab) =>
    tab.code
      .buy(wantedItem, {
        purse: { wallet: walletOf(tab) },
        tell: () => undefined,
        async confirm() {
          await later(random.between(100, 3_000));
          return isCalm || random.chance(0.85);
        },
      })
      .catch((error: unknown) => void tab.code.messageOf(error));
  const finish = (tab: Tab) => tab.code.finishOpen(() => undefined).catch(() => undefined);
  const close = (tab: Tab) => {
    tab.isOpen = false;
    tabs = tabs.filter((each) => each !== tab);
  };

  const act = () => {
    if (isCalm) return;
    const tab = tabs.length === 0 ? open() : (tabs[random.below(tabs.length)] ?? open());
    const action = random.below(10);
    // Who has the list does not buy it again.
    if (action < 5 && !hasIt()) void buy(tab);
    else if (action === 5) void finish(tab);
    else if (action === 6) (close(tab), open());
    else if (action === 7) close(tab);
    else if (tabs.length < 3) open();
    scheduler.after(random.chance(0.6) ? random.between(10, 4_000) : random.between(4_000, 150_000), act);
  };
  act();
  await scheduler.runUntil(startMs + troubleMs);
  isCalm = true;
  network.calmDown();
  for (let tries = 0; tries < 5 && !(hasIt() && tries > 0); tries++) {
    for (const tab of [...tabs]) close(tab);
    const tab = open();
    void finish(tab).then(() => (hasIt() ? undefined : buy(tab)));
    await scheduler.runUntil(scheduler.now() + 2 * troubleMs);
  }
  return judge();

  async function judge(): Promise<string | undefined> {
    if (charged.length > 1) return `charged ${charged.length} times`;
    if (charged.length < 1) return 'never sold';
    const bodies = [...browser.purchases.values()].map((each) => (each as { body: string }).body).join();
    if (charged.some((nonce) => !bodies.includes(nonce))) return 'paid and lost';
    for (const nonce of signed) {
      const asset = lowerHex(localToken as Hex);
      const id = publicPaymentId({ network: 'eip155:31337', asset, payer: address, nonce: lowerHex(nonce as Hex) });
      const answer = await service.answer({ path: `/api/payments/${id}`, headers: new Headers() });
      const isSettled = JSON.stringify(answer).includes('"settled"');
      if (isSettled !== charged.includes(nonce)) return `the ledger is not the chain: ${nonce}`;
    }
    return undefined;
  }
}
