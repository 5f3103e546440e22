import { createPrivateKey, randomBytes, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

/** How a facilitator knows who asks; both may be given. */
export interface FacilitatorCredentials {
  /** Sent with every request, such as an API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Signs a token for each request, as Coinbase's facilitator wants it. */
  readonly signingKey?: { readonly id: string; readonly secret: string };
}

/** The headers of one request. Rejects when the token cannot be signed, before anything is sent. */
export type AuthorizeRequest = (method: string, url: string) => Promise<Record<string, string>>;

const lifetimeSeconds = 120;

/**
 * Authorizes requests by fixed headers, by a signed token, or by both. A token is good for one method and address only,
 * for two minutes: `Authorization: Bearer` with a JWT as the Coinbase Developer Platform documents it.
 *
 * @throws Error when the key's secret is no signing key
 */
export function createFacilitatorAuth(
  { headers, signingKey }: FacilitatorCredentials,
  { now, random = randomBytes }: { readonly now: () => Date; readonly random?: (bytes: number) => Buffer },
): AuthorizeRequest {
  if (signingKey === undefined) return async () => ({ ...headers });
  const { id } = signingKey;
  const key = readSigningKey(signingKey.secret);
  if (key === undefined) throw new Error('The signing key is neither an Ed25519 nor a P-256 private key');
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';
  return async (method, url) => {
    const { host, pathname } = new URL(url);
    const seconds = Math.floor(now().getTime() / 1000);
    const token = await new SignJWT({ uris: [`${method} ${host}${pathname}`] })
      .setProtectedHeader({ alg, typ: 'JWT', kid: id, nonce: random(16).toString('hex') })
      .setSubject(id)
      .setIssuer('cdp')
      .setAudience(['cdp_service'])
      .setIssuedAt(seconds)
      .setNotBefore(seconds)
      .setExpirationTime(seconds + lifetimeSeconds)
      .sign(key);
    return { ...headers, authorization: `Bearer ${token}` };
  };
}

/**
 * Reads a signing key: an Ed25519 key as the base64 of its 64 bytes (seed, then public key), or an Ed25519 or P-256 key
 * as PEM, whose line ends may be written \n. Undefined when it is neither.
 */
export function readSigningKey(secret: string): KeyObject | undefined {
  try {
    const key = secret.startsWith('-----BEGIN') ? createPrivateKey(secret.replace(/\\n/g, '\n')) : readSeed(secret);
    const isUsable =
      key.asymmetricKeyType === 'ed25519' ||
      (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1');
    return isUsable ? key : undefined;
  } catch {
    return undefined;
  }
}

function readSeed(secret: string): KeyObject {
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== 64) throw new Error('An Ed25519 secret has 64 bytes');
  const [d, x] = [bytes.subarray(0, 32).toString('base64url'), bytes.subarray(32).toString('base64url')];
  return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } });
}
