import type { Licence } from './source.js';
import type { Upstream, UpstreamRequest } from './upstream/upstream.js';

/** What every source that is read over HTTP is given: its name and licence, where it is, and how it may be asked. */
export interface SourceAccess {
  readonly name: string;
  readonly licence: Licence;
  readonly upstream: Upstream;
  readonly now: () => Date;
  /** Absolute, without a trailing slash. */
  readonly baseUrl: string;
  readonly requestsPerMinute: number;
  /** True for a server of the operator's own, such as a demonstration's. */
  readonly allowPrivate: boolean;
  /** Key or token, where the source wants one. */
  readonly secret: string | undefined;
  /** Aborts when what is being fetched is not wanted any more. */
  readonly signal?: AbortSignal | undefined;
}

/** How the host of a source may be asked; part of each request to it. */
export function accessOf({ requestsPerMinute, allowPrivate, signal }: SourceAccess): Partial<UpstreamRequest> {
  return { requestsPerMinute, allowPrivate, signal };
}
