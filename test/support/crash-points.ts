import { subscribe } from 'node:diagnostics_channel';
import { ServerResponse } from 'node:http';
import type { App, AppOverrides } from '../../src/app.js';
import type { SettleOutcome, Settler } from '../../src/payments/settlement/settler.js';
import type { CrashPoint, CrashStep, Doom } from './crash-messages.js';

/** The places where this process may kill itself, and where a settlement meets its outcome. */
export interface CrashPoints {
  readonly overrides: Pick<AppOverrides, 'ledger' | 'relayerStore' | 'settler'>;
  arm(doom: Doom): void;
  /** For the points that no override reaches. */
  attach(app: App): void;
}

interface Doomed extends Doom {
  /** It waits at its step, and so do all its later calls. */
  isOver: boolean;
  /** Called when the node forgets its transaction. */
  onForgotten: () => void;
  /** Resolves when the clock has moved after that. */
  forgotten: Promise<void> | undefined;
}

/** Whether the node forgets it, at least until it is given up. */
function isForgotten({ fate, step }: Doom): boolean {
  return fate === 'lost' || step.endsWith(' give-up');
}

const forever = new Promise<never>(() => undefined);

/**
 * @param ports.die ends the process at once
 * @param ports.lost nonces of payments whose transactions the node forgot in an earlier life, and no longer accepts
 * @param ports.isPlainNode the node does not know eth_sendRawTransactionSync
 * @param ports.onReached is called when a payment has reached its step
 * @param ports.prepare has the chain prepared for the outcome of a payment
 * @param ports.advance moves the clock
 */
export function createCrashPoints(ports: {
  readonly die: () => never;
  readonly lost: readonly string[];
  readonly isPlainNode: boolean;
  readonly onReached: () => void;
  readonly prepare: () => Promise<void>;
  readonly advance: (seconds: number) => void;
}): CrashPoints {
  const payments = new Map<string, Doomed>();
  let latest: Doomed | undefined;

  /** True when a payment stops here. */
  function isCutOff(step: CrashStep, payment: Doomed | undefined): boolean {
    if (payment === undefined || payment.isOver) return payment !== undefined;
    if (payment.step !== step) return false;
    if (payment.isLast) ports.die();
    payment.isOver = true;
    ports.onReached();
    return true;
  }

  async function pass<T>(point: CrashPoint, payment: Doomed | undefined, work: () => Promise<T>): Promise<T> {
    if (isCutOff(`before ${point}`, payment)) return forever;
    const result = await work();
    return isCutOff(`after ${point}`, payment) ? forever : result;
  }

  const settleAs: (settler: Settler) => Settler['settle'] = (settler) => async (authorization, attempt) => {
    const payment = payments.get(authorization.nonce);
    if (payment?.fate === 'failed' || payment?.fate === 'overtaken') await ports.prepare();
    const settling = settler.settle(authorization, attempt);
    if (payment !== undefined && isForgotten(payment)) return Promise.race([settling, giveUp(payment)]);
    const outcome = await settling;
    return payment?.fate === 'landed' ? { outcome: 'unknown', detail: 'the answer was lost' } : outcome;
  };

  /** The result of a settlement whose time is over, without the wait. */
  async function giveUp(payment: Doomed): Promise<SettleOutcome> {
    payment.forgotten ??= new Promise<void>((resolve) => (payment.onForgotten = resolve)).then(() =>
      ports.advance(payment.forgottenSeconds),
    );
    await payment.forgotten;
    return { outcome: 'unknown', detail: 'there is no proof of the transfer yet' };
  }

  /** The payment whose authorization is in a transaction. */
  function findIn(raw: string): Doomed | undefined {
    return [...payments.values()].find(({ nonce }) => raw.includes(nonce.slice(2)));
  }

  watchSends(ports.isPlainNode, (raw, send) => {
    const payment = findIn(raw);
    return pass('send', payment, async () => {
      if (ports.lost.some((nonce) => raw.includes(nonce.slice(2)))) return 'refused';
      if (payment === undefined || !isForgotten(payment)) return send();
      payment.onForgotten();
      return 'forgotten';
    });
  });

  return {
    overrides: {
      ledger: (ledger) => ({
        ...ledger,
        claim: (claim) => pass('claim', payments.get(claim.nonce), () => ledger.claim(claim)),
        finish: (key, ...values) => pass('finish', payments.get(key.nonce), () => ledger.finish(key, ...values)),
        release: (key, ...values) => pass('finish', payments.get(key.nonce), () => ledger.release(key, ...values)),
        endLease: (key, ...values) => pass('finish', payments.get(key.nonce), () => ledger.endLease(key, ...values)),
        async recordDeliveries(keys, delivery) {
          const noted = keys.filter(({ nonce }) => !isCutOff('before note', payments.get(nonce)));
          await ledger.recordDeliveries(noted, delivery);
          for (const { nonce } of noted) isCutOff('after note', payments.get(nonce));
        },
      }),
      relayerStore: (store) => ({
        ...store,
        keep(relayer, transaction, claims) {
          const keep = () => store.keep(relayer, transaction, claims);
          const { raw, carries } = transaction;
          const carried = payments.get(carries[0]?.nonce ?? '');
          const isNothing = carried !== undefined && findIn(raw) === undefined;
          return pass(isNothing ? 'give-up' : 'store', carried, keep);
        },
      }),
      settler: (settler) => ({
        ...settler,
        verify: (each) => pass('verify', payments.get(each.nonce), () => settler.verify(each)),
        settle: (each, attempt) => pass('settle', payments.get(each.nonce), () => settleAs(settler)(each, attempt)),
      }),
    },
    arm(doom) {
      latest = { ...doom, isOver: false, onForgotten: () => undefined, forgotten: undefined };
      payments.set(doom.nonce, latest);
    },
    attach({ feeds: { deals, leads } }) {
      // It makes its page at once: no payment can wait here.
      const { page: makePage } = deals;
      deals.page = async (view, request) => {
        isCutOff('before handler', latest);
        const page = await makePage(view, request);
        isCutOff('after handler', latest);
        return page;
      };
      // For an exclusive lead.
      const { read: readLeads } = leads;
      leads.read = async (view, shown) => {
        isCutOff('before handler', latest);
        const bodies = await readLeads(view, shown);
        isCutOff('after handler', latest);
        return bodies;
      };
      watchReplies(
        (signature) => isCutOff('before reply', payments.get(readNonce(signature))),
        (signature) => void isCutOff('after reply', payments.get(readNonce(signature))),
      );
    },
  };
}

/** Stands between this process and the node; `send` submits a raw transaction. A forgotten one is only acknowledged. */
function watchSends(
  isPlainNode: boolean,
  onSend: (raw: string, send: () => Promise<Response>) => Promise<Response | 'forgotten' | 'refused'>,
): void {
  const ordinaryFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const { method, params, id } = Object(body) as { method?: string; params?: [string]; id?: number };
    if (!method?.startsWith('eth_sendRawTransaction') || params === undefined) return ordinaryFetch(input, init);
    const isWaiting = method === 'eth_sendRawTransactionSync';
    if (isWaiting && isPlainNode)
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    const answer = await onSend(params[0], () => ordinaryFetch(input, init));
    if (answer instanceof Response) return answer;
    // Asked to wait for the receipt, a node answers after a while that there is none yet (EIP-7966).
    const taken = isWaiting ? { error: { code: 4, message: 'not mined yet' } } : { result: `0x${'00'.repeat(32)}` };
    const told =
      answer === 'refused' ? { error: { code: -32000, message: 'max fee per gas less than block base fee' } } : taken;
    return Response.json({ jsonrpc: '2.0', id, ...told });
  };
}

/** `before` decides that a reply to a payment is never written; `after` is called when one was. */
function watchReplies(before: (signature: string) => boolean, after: (signature: string) => void): void {
  const signatureOf = ({ req }: ServerResponse): string => String(req.headers['payment-signature'] ?? '');
  const writeHead = ServerResponse.prototype.writeHead as (...values: unknown[]) => ServerResponse;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...values: unknown[]) {
    if (!before(signatureOf(this))) return writeHead.apply(this, values);
    return Object.assign(this, { write: () => true, end: () => this });
  };
  subscribe('http.server.response.finish', (message) =>
    after(signatureOf((message as { response: ServerResponse }).response)),
  );
}

function readNonce(signature: string): string {
  if (signature === '') return '';
  const payment: unknown = JSON.parse(Buffer.from(signature, 'base64').toString());
  return (payment as { payload: { authorization: { nonce: string } } }).payload.authorization.nonce;
}
