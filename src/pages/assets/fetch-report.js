/** @import { Problem, SignInRequired } from '../../../generated/types.gen.js' */

/**
 * A browser wallet (EIP-1193).
 * @typedef {{ request(call: { method: string, params?: readonly unknown[] }): Promise<unknown> }} Wallet
 */

/**
 * @typedef {{ domain: string, uri: string, statement: string, version: string, nonce: string, issuedAt: string,
 * expirationTime: string, resources: readonly string[] }} Challenge
 */

/**
 * Fetches the reply of a payment again, free. The wallet that paid signs only this server's sign-in-with-x challenge,
 * not a payment.
 * @param {string} paymentId
 * @param {Wallet | undefined} wallet
 * @returns {Promise<string>} the reply's JSON text
 * @throws {Error} saying what is missing, or why the server refuses
 */
export async function fetchReport(paymentId, wallet) {
  if (!/^0x[0-9a-f]{64}$/.test(paymentId))
    throw new Error('A payment id is 0x and 64 hexadecimal digits, as receipts and errors show it.');
  if (wallet === undefined)
    throw new Error('This browser has no wallet. Open this page in the browser that paid, or drop the file.');
  const path = `/api/payments/${paymentId}/response`;
  const asked = await fetch(path);
  const { info, chainId } = readChallenge(await asked.json());
  const [address] = /** @type {string[]} */ (await wallet.request({ method: 'eth_requestAccounts' }));
  if (address === undefined) throw new Error('The wallet shows no account.');
  const message = signInMessage(info, address, chainId);
  const signature = await wallet.request({ method: 'personal_sign', params: [toHex(message), address] });
  const proof = { ...info, address, chainId, type: 'eip191', signature };
  const reply = await fetch(path, { headers: { 'SIGN-IN-WITH-X': btoa(JSON.stringify(proof)) } });
  if (!reply.ok) throw new Error(/** @type {Problem} */ (await reply.json()).detail);
  return reply.text();
}

/**
 * @param {Problem | SignInRequired} body
 * @returns {{ info: Challenge, chainId: string }}
 */
function readChallenge(body) {
  if (!('extensions' in body)) throw new Error('detail' in body ? body.detail : 'The server did not ask for a proof.');
  const challenge = /** @type {{ info: Challenge, supportedChains: readonly { chainId: string }[] }} */ (
    /** @type {unknown} */ (body.extensions['sign-in-with-x'])
  );
  return { info: challenge.info, chainId: challenge.supportedChains[0]?.chainId ?? '' };
}

/**
 * The signed text (EIP-4361).
 * @param {Challenge} info
 * @param {string} address
 * @param {string} chainId a CAIP-2 name
 */
function signInMessage(
  { domain, uri, statement, version, nonce, issuedAt, expirationTime, resources },
  address,
  chainId,
) {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId.split(':')[1] ?? ''}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${expirationTime}`,
    'Resources:',
    ...resources.map((resource) => `- ${resource}`),
  ].join('\n');
}

/** @param {string} text */
function toHex(text) {
  const bytes = new TextEncoder().encode(text);
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
