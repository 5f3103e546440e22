import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** A request to a mock server of the demonstration. */
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

/** The key that some of these servers require. It is public and opens nothing else. */
export const demonstrationKey = { name: 'SOURCE_SECRET_DEMONSTRATION', value: 'demonstration' } as const;

/** A mock server of the demonstration: its host, its replies, and its entries in the file of sources. */
export interface DemoUpstream {
  readonly host: string;
  /** The county whose day it shows. */
  readonly countyFips: string;
  readonly answer: MockServer;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
}

/** The licence of every fictional source: its rows can never be sold for real money. */
export function demonstrationLicence(attribution: string) {
  return { class: 'demonstration', mayStore: true, mayResell: true, attribution } as const;
}
