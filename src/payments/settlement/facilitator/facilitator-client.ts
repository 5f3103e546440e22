import { z } from 'zod';
import type { Hex } from '../../chain/eip3009.js';
import { exchangeJson, type JsonExchange } from './exchange-json.js';
import type { AuthorizeRequest } from './facilitator-auth.js';
import type { FacilitatorRequest } from './facilitator-request.js';
import { classifyReason } from './facilitator-reason.js';

/** `none`: it does not say; another one may be asked. */
export type VerifyAnswer =
  | { readonly answer: 'valid' }
  | { readonly answer: 'invalid'; readonly reason: string }
  | { readonly answer: 'none'; readonly detail: string };

/**
 * What a facilitator says of a settlement: claims, not proof. `lost`: it may have been sent, and nobody says so.
 * `not_sent`: the facilitator was surely not asked.
 */
export type SettleAnswer =
  | { readonly answer: 'settled' | 'pending'; readonly transaction: Hex | undefined }
  | { readonly answer: 'refused'; readonly reason: string }
  | { readonly answer: 'lost'; readonly detail: string }
  | { readonly answer: 'not_sent'; readonly detail: string };

/** `unlisted`: it answers, but not with its kinds. */
export type SupportedAnswer = 'supported' | 'unsupported' | 'unlisted' | 'none';

/** One remote facilitator of x402 v2. No method rejects or tries twice. */
export interface FacilitatorClient {
  /** For logs: the host alone, since a path may hold a key. */
  readonly host: string;
  verify(request: FacilitatorRequest): Promise<VerifyAnswer>;
  settle(request: FacilitatorRequest): Promise<SettleAnswer>;
  /** Whether it takes scheme `exact` of x402 v2 on the network (CAIP-2). */
  supports(networkId: string): Promise<SupportedAnswer>;
}

/**
 * Talks to the facilitator at a base address. `timeouts` are for one whole exchange each; `exchange` is one, by HTTP.
 */
export function createFacilitatorClient(options: {
  readonly url: string;
  readonly authorize: AuthorizeRequest;
  readonly timeouts?: { readonly verifyMs: number; readonly settleMs: number };
  readonly exchange?: typeof exchangeJson;
}): FacilitatorClient {
  const { authorize, timeouts = { verifyMs: 5_000, settleMs: 20_000 }, exchange = exchangeJson } = options;
  const base = options.url.replace(/\/+$/, '');

  async function ask(
    method: 'GET' | 'POST',
    path: string,
    timeoutMs: number,
    content?: unknown,
  ): Promise<JsonExchange> {
    const url = base + path;
    try {
      const headers = await authorize(method, url);
      const body = content === undefined ? {} : { body: JSON.stringify(content) };
      return await exchange({ method, url, headers, ...body }, timeoutMs);
    } catch {
      return { kind: 'not_sent', detail: 'the request could not be signed' };
    }
  }

  return {
    host: new URL(base).host,
    verify: async (request) => readVerification(await ask('POST', '/verify', timeouts.verifyMs, request)),
    settle: async (request) => readSettlement(await ask('POST', '/settle', timeouts.settleMs, request)),
    supports: async (networkId) => readKinds(await ask('GET', '/supported', timeouts.verifyMs), networkId),
  };
}

/** A code may be told to the buyer; anything else a facilitator writes may not. */
const code = z.string().regex(/^[a-z0-9_]{1,100}$/);
const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((value) => value as Hex);
const verification = z.object({ isValid: z.boolean(), invalidReason: code.optional().catch(undefined) });
const settlement = z.object({
  success: z.boolean(),
  errorReason: code.optional().catch(undefined),
  transaction: hash.optional().catch(undefined),
});
const kinds = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() })),
});

function readVerification(exchange: JsonExchange): VerifyAnswer {
  if (exchange.kind !== 'answered') return { answer: 'none', detail: exchange.detail };
  const { data } = verification.safeParse(exchange.body);
  if (data?.isValid === true) return { answer: 'valid' };
  const reason = data?.invalidReason;
  return reason === undefined || classifyReason(reason) === 'undecided'
    ? { answer: 'none', detail: reason ?? `status ${exchange.status} without a verdict` }
    : { answer: 'invalid', reason };
}

function readSettlement(exchange: JsonExchange): SettleAnswer {
  if (exchange.kind !== 'answered') return { answer: exchange.kind, detail: exchange.detail };
  const { data } = settlement.safeParse(exchange.body);
  if (data === undefined) return { answer: 'lost', detail: `status ${exchange.status} without an outcome` };
  const { success, errorReason, transaction } = data;
  if (success) return { answer: 'settled', transaction };
  if (errorReason !== undefined && classifyReason(errorReason) !== 'undecided')
    return { answer: 'refused', reason: errorReason };
  if (transaction !== undefined || /pending|time/.test(errorReason ?? '')) return { answer: 'pending', transaction };
  return { answer: 'lost', detail: errorReason ?? 'a failure without a reason' };
}

function readKinds(exchange: JsonExchange, networkId: string): SupportedAnswer {
  if (exchange.kind !== 'answered') return 'none';
  const { data } = kinds.safeParse(exchange.body);
  // One without this list may settle all the same; one that fails, or does not know us, will not.
  if (data === undefined) return exchange.status === 200 || exchange.status === 404 ? 'unlisted' : 'none';
  const isOurs = ({ x402Version, scheme, network }: (typeof data.kinds)[number]): boolean =>
    x402Version === 2 && scheme === 'exact' && (network === networkId || network === 'eip155:*');
  return data.kinds.some(isOurs) ? 'supported' : 'unsupported';
}

/** How long one whole exchange with a facilitator may take. */
export interface FacilitatorTimeouts {
  readonly verifyMs: number;
  readonly settleMs: number;
}

/** How long after an exchange that settles the chain is asked for its proof. */
export const proofMs = 10_000;

/** The longest exchange that settles: with the proof it must end well within the lease of a claim. */
export const maxSettleSeconds = 40;
