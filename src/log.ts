import { pino, type Logger } from 'pino';

export type Log = Logger;

/** What must never reach a log: payment headers, signatures, keys, and people's names. */
const redacted = ['*.signature', '*.authorization', '*.privateKey', '*.owner_name', '*.ownerName', '*.databaseUrl'];

/** Creates the process's log: one JSON line per event on the given stream, secrets and owner names redacted. */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr): Log {
  return pino({ level, redact: { paths: redacted, censor: '[redacted]' }, base: null }, destination);
}
