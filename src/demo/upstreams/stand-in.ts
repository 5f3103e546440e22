import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** A request to a server of the demonstration. */
export interface StandInRequest {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The day in the county, YYYY-MM-DD. */
  readonly day: string;
}

export interface StandInReply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string;
}

/** Answers in the place of somebody else's server, in its wire format, with fictional data. */
export type StandIn = (request: StandInRequest) => StandInReply;

export type StandInRow = Readonly<Record<string, string | number | boolean | null>>;
