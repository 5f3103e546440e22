import { createHash, createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Bytes } from '../contract/rendered.js';

/** Makes the strong tags of one operation's replies. */
export type TagOf = (canonical: string, revision: string) => string;

/**
 * A keyed tag over operation, canonical parameters and revision: it changes when the reply changes, and without the
 * secret the tag of a reply that was not bought cannot be guessed.
 */
export function createTagOf(secret: string, operationId: string): TagOf {
  const known = new LRUCache<string, string>({ max: 1_000 });
  return (canonical, revision) => {
    const named = `${operationId}\n${canonical}\n${revision}`;
    let tag = known.get(named);
    if (tag === undefined) {
      tag = quote(createHmac('sha256', secret).update(named).digest());
      known.set(named, tag);
    }
    return tag;
  };
}

/** The tag of a reply that depends on nothing but its bytes. */
export function tagOfBody(body: Bytes): string {
  const hash = createHash('sha256');
  for (const chunk of body.chunks) hash.update(chunk);
  return quote(hash.digest());
}

/**
 * The tag among those of an If-None-Match header that names the same reply, as its caller has it: one of the reply's tags or
 * that of a compressed copy. Undefined when none does. Weak tags count, as RFC 9110 has it.
 */
export function findTag(ifNoneMatch: string | undefined, tags: readonly string[]): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  return ifNoneMatch
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .find((each) => tags.includes(each) || tags.includes(each.replace(/-(br|gzip)"$/, '"')));
}

function quote(digest: Buffer): string {
  return `"${digest.toString('base64url').slice(0, 22)}"`;
}
