import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, type CallToolResult, type Tool } from '@modelcontextprotocol/client';
import { maxResultBytes } from '../../../src/transport/mcp/reply-result.js';
import type { PaymentPayload } from '../../../src/payments/gate/read-payment.js';
import type { SettleResponse } from '../../../src/payments/payment-response.js';
import { signPayment, type ChallengeBody, type PaymentChanges } from '../../support/pay.js';
import { payloadIn } from '../../payments/shop.js';

/** A tool's answer, checked for what holds for every answer. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly content: Content;
  readonly settlement: SettleResponse | undefined;
}

/** Members of results, offers and problems. */
export interface Content {
  readonly total?: number;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly absent?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly next_page?: Arguments;
  readonly part?: string;
  readonly data?: unknown;
  readonly left_out?: readonly string[];
  readonly rest?: readonly string[];
  readonly receipt?: { readonly price: string; readonly payment_id: string; readonly token: string };
  readonly reason?: string;
  readonly billed?: boolean;
  readonly payment?: string;
  readonly retry_same_payment?: boolean;
  readonly error?: string;
  readonly errors?: readonly { readonly parameter: string; readonly nearest?: string }[];
  readonly resource?: ChallengeBody['resource'];
  readonly accepts?: ChallengeBody['accepts'];
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly next?: readonly { readonly title: string; readonly url: string }[];
}

export type Arguments = Readonly<Record<string, unknown>>;

/** An agent of the official client, which validates every answer against its tool's schema. */
export interface Agent {
  readonly client: Client;
  readonly tools: readonly Tool[];
  call(name: string, given?: Arguments, payment?: unknown): Promise<ToolAnswer>;
  /** Requests the offer, and signs it. */
  sign(name: string, given?: Arguments, changes?: PaymentChanges): Promise<PaymentPayload>;
  close(): Promise<void>;
}

/** The protocol's two modes: with a handshake, and with an envelope around each request. */
export const eras = ['legacy', { pin: '2026-07-28' }] as const;

/** Connects over streamable HTTP. */
export async function connectAgent(url: string, mode: (typeof eras)[number] = 'legacy'): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();

  async function call(name: string, given: Arguments = {}, payment?: unknown): Promise<ToolAnswer> {
    const _meta = payment === undefined ? {} : { _meta: { 'x402/payment': payment } };
    return readResult(await client.callTool({ name, arguments: given, ..._meta }));
  }

  return {
    client,
    tools,
    call,
    async sign(name, given, changes) {
      const { content } = await call(name, given);
      const { resource, accepts } = content;
      assert.ok(resource && accepts, `no offer: ${JSON.stringify(content)}`);
      return payloadIn(await signPayment(structuredClone({ resource, accepts }), changes));
    },
    close: () => client.close(),
  };
}

function readResult(result: CallToolResult): ToolAnswer {
  const [text] = result.content;
  assert.ok(text?.type === 'text');
  const content = JSON.parse(text.text) as Content;
  const isMistake = (content.errors ?? []).length > 0;
  const isError = result.isError === true;
  // Only offers and refusals are objects as well, since x402 asks for them.
  assert.deepEqual(result.structuredContent, isError && !isMistake ? content : undefined);
  // Of the protocol's additions to a result, only the settlement comes from this server.
  const { _meta, ...own } = result;
  assert.ok(Buffer.byteLength(JSON.stringify(own)) <= maxResultBytes, `${JSON.stringify(own).length} bytes`);
  if (isMistake) assert.ok(JSON.stringify(own).length <= 600 && content.accepts === undefined, text.text);
  const settlement = _meta?.['x402/payment-response'] as SettleResponse | undefined;
  if (isError) assert.equal(content.billed, false);
  if (settlement !== undefined) assert.equal(settlement.success, !isError);
  return { isError, content, settlement };
}

/** The records of a table, with their columns as members. */
export function recordsIn({ columns = [], rows = [] }: Content): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
}

/** The address of the whole reply of a result, as the instructions give it. */
export function replyAddress({ client }: Agent, { receipt }: Content): string {
  const [template = ''] = /http\S+\{token\}/.exec(client.getInstructions() ?? '') ?? [];
  return template.replace('{payment_id}', receipt?.payment_id ?? '').replace('{token}', receipt?.token ?? '');
}

/** Asserts a refusal by its reason. */
export function assertToolRefused({ isError, content }: ToolAnswer, reason: string): void {
  assert.ok(isError, JSON.stringify(content).slice(0, 300));
  assert.equal(content.reason, reason);
}

/** Asserts a paid result. */
export function assertToolPaid(answer: ToolAnswer): void {
  assert.ok(!answer.isError, JSON.stringify(answer.content));
  assert.equal(answer.settlement?.success, true);
}
