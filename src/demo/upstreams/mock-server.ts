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
