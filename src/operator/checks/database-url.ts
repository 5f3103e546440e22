import { codeOf } from '../../db/outage.js';
import type { Finding } from './check.js';

const encode = 'In DATABASE_URL percent-encode @ : / # % in the password, as %40 %3A %2F %23 %25.';

/** What is wrong with the address: read as it is meant, its host is what follows the last @. */
export function judgeHost(url: string | undefined): Finding | undefined {
  if (url === undefined) return undefined;
  const meant = /^[a-z]+:\/\/.*@([^/?#@:]*)/i.exec(url)?.[1];
  if (isDecodable(url) && (meant === undefined || meant.toLowerCase() === new URL(url).hostname)) return undefined;
  return {
    sentence: 'DATABASE_URL is not read as it is meant: its password has characters of an address.',
    cure: encode,
  };
}

function isDecodable(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** What somebody has to edit, by SQLSTATE or by what TLS says. */
const loginFaults: readonly (readonly [code: RegExp, sentence: string, cure: string])[] = [
  [/^28P01$/, 'The database refuses the password.', `Correct it in DATABASE_URL. ${encode}`],
  [/^28000$/, 'The database refuses this role from this machine.', 'Give the role LOGIN, and a line in pg_hba.conf.'],
  [/^3D000$/, 'The database in DATABASE_URL does not exist.', 'createdb, with the name in DATABASE_URL'],
  [
    /CERT|SIGNATURE|ALTNAME|^EPROTO|SSL/,
    'The TLS of the database cannot be trusted.',
    'Give its certificate authority: NODE_EXTRA_CA_CERTS, and sslmode=verify-full.',
  ],
];

/** What is wrong with how this service logs in. */
export function judgeLogin(error: unknown): Finding | undefined {
  const code = codeOf(error);
  const found = loginFaults.find(([pattern]) => pattern.test(code));
  return found && { sentence: found[1], cure: found[2] };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  '57P03': 'it is starting up or shutting down',
  '53300': 'it has no connection left',
};

/** Why it does not answer; undefined where it does, and refuses. */
export function judgeReach(error: unknown): Finding | undefined {
  if (judgeLogin(error) !== undefined) return undefined;
  const why = reasons[codeOf(error)] ?? 'it answers too late, or not at all';
  return { sentence: `The database in DATABASE_URL does not answer: ${why}.` };
}
