import { pino, stdSerializers, stdTimeFunctions, type Logger } from 'pino';

export interface Log extends Logger {
  /** How many lines it has written, with its children, by level. */
  readonly lines?: ReadonlyMap<string, number>;
}

/** What must never reach a log: payment headers, signatures, keys, and people's names. */
const redacted = ['*.signature', '*.authorization', '*.privateKey', '*.owner_name', '*.ownerName', '*.databaseUrl'];

/** One JSON object a line, for programs; or a readable line, for a terminal. */
export type LogFormat = 'json' | 'text';

/** What stands in every line. */
export interface LogOrigin {
  readonly instance: string;
  readonly version: string;
}

/**
 * Creates the process's log: one JSON line per event on the given stream, with its time in ISO 8601 and its level as a
 * word; secrets and owner names redacted. Of an error it has what the error says and where it arose, without addresses
 * and without long hexadecimal.
 */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr, origin?: LogOrigin): Log {
  const lines = new Map<string, number>();
  const log = pino(
    {
      level,
      hooks: {
        logMethod(line, write, number) {
          const label = log.levels.labels[number] ?? '';
          lines.set(label, (lines.get(label) ?? 0) + 1);
          write.apply(this, line);
        },
      },
      redact: { paths: redacted, censor: '[redacted]' },
      base: origin ? { service: 'deals-feed', ...origin } : null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  );
  return Object.assign(log, { lines });
}

/** The log of a server, on standard error, in the given format. */
export async function openLog(level: string, format: LogFormat, origin: LogOrigin): Promise<Log> {
  if (format === 'json') return createLog(level, process.stderr, origin);
  const { default: prettify } = await import('pino-pretty');
  return createLog(level, prettify({ destination: 2, sync: true, colorize: process.stderr.isTTY }));
}

/**
 * What libraries hang on their errors is left out: a failed statement has its values, a failed call its arguments, and
 * signatures among them.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutSecrets(error) : error;
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = Reflect.get(error, 'code');
  return {
    type,
    message: withoutSecrets(message),
    stack: withoutSecrets(stack),
    ...(typeof code === 'string' && { code }),
  };
}

/** Addresses of nodes and databases hold keys; calldata and signatures are longer than a hash. */
const secret = /\b(https?|wss?|postgres(ql)?):\/\/\S+|\b0x[0-9a-f]{65,}/gi;

function withoutSecrets(text: string): string {
  return text.replace(secret, '[redacted]');
}
