import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** A request to a mock service. */
export interface MockRequest {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The day in the county, YYYY-MM-DD. */
  readonly day: string;
}

export interface MockReply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string;
}

/** Answers in place of a real server, in its wire format, with fictional data. */
export type MockServer = (request: MockRequest) => MockReply;

export type MockRow = Readonly<Record<string, string | number | boolean | null>>;

/** A reply with a JSON body. */
export function jsonReply(body: unknown, status = 200, headers: OutgoingHttpHeaders = {}): MockReply {
  return {
    status,
    headers: { 'content-type': 'application/json;charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Whole USD in counties' format: `$60,000.00`. */
export function writeDollars(amount: number): string {
  return `$${amount.toLocaleString('en-US')}.00`;
}

/** A day in American format: `12/14/2026`. */
export function writeAmericanDay(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}
