import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import {
  createFacilitatorAuth,
  readSigningKey,
} from '../../../src/payments/settlement/facilitator/facilitator-auth.js';

const url = 'https://api.example.com/platform/v2/x402/settle';
const id = 'organizations/1/apiKeys/2';
const now = () => new Date('2026-03-01T12:00:00Z');

/** The secrets in the forms in which the Coinbase Developer Platform hands them out. */
function makeSecrets(): Record<string, string> {
  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  const { d = '', x = '' } = ed25519.export({ format: 'jwk' });
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pem = p256.export({ type: 'sec1', format: 'pem' }).toString();
  return {
    'Ed25519 in base64': Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64'),
    'Ed25519 as PEM': ed25519.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'P-256 as PEM': pem,
    'P-256 as PEM on one line': pem.replaceAll('\n', '\\n'),
  };
}

describe('authorisation at a facilitator', () => {
  for (const [form, secret] of Object.entries(makeSecrets())) {
    it(`signs a token for one method and address, good for two minutes: ${form}`, async () => {
      const authorize = createFacilitatorAuth({ headers: { 'x-team': 'deals' }, signingKey: { id, secret } }, { now });
      const { authorization = '', ...others } = await authorize('POST', url);
      assert.deepEqual(others, { 'x-team': 'deals' });
      const key = readSigningKey(secret);
      assert.ok(key);
      const token = authorization.replace(/^Bearer /, '');
      const { payload } = await jwtVerify(token, createPublicKey(key), { currentDate: now() });
      const issued = now().getTime() / 1000;
      assert.deepEqual(payload, {
        sub: id,
        iss: 'cdp',
        aud: ['cdp_service'],
        iat: issued,
        nbf: issued,
        exp: issued + 120,
        uris: ['POST api.example.com/platform/v2/x402/settle'],
      });
      const { nonce, ...header } = decodeProtectedHeader(token) as { nonce: string };
      assert.deepEqual(header, { alg: form.startsWith('Ed') ? 'EdDSA' : 'ES256', typ: 'JWT', kid: id });
      assert.match(nonce, /^[0-9a-f]{32}$/);
      assert.notEqual((await authorize('POST', url))['authorization'], authorization, 'every token is another one');
    });
  }

  it('needs no key where fixed headers do', async () => {
    const authorize = createFacilitatorAuth({ headers: { authorization: 'Bearer fixed' } }, { now });
    assert.deepEqual(await authorize('GET', url), { authorization: 'Bearer fixed' });
  });

  it('takes nothing else for a signing key, and does not repeat it', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const others = [
      'secret-of-mine',
      Buffer.alloc(32).toString('base64'),
      '-----BEGIN EC PRIVATE KEY-----\nsecret-of-mine',
      rsa.export({ type: 'pkcs8', format: 'pem' }).toString(),
      generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
        .privateKey.export({ type: 'sec1', format: 'pem' })
        .toString(),
    ];
    for (const secret of others) {
      assert.equal(readSigningKey(secret), undefined);
      assert.throws(
        () => createFacilitatorAuth({ headers: {}, signingKey: { id, secret } }, { now }),
        (error: Error) => !error.message.includes('secret-of'),
      );
    }
  });
});
