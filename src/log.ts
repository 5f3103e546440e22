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

const [warnLevel, errorLevel] = [40, 50];
const [repeatedMs, mostFaults] = [10_000, 1_000];

/**
 * Creates the process's log: one JSON line per event on the given stream, with its time in ISO 8601 and its level as a
 * word; secrets and owner names redacted. Of an error it has what the error says, without addresses and without long
 * hexadecimal, and at the level of errors where it arose. The same error again within 10 s is only counted: one line
 * each 10 s says how often.
 */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr, origin?: LogOrigin): Log {
  const lines = new Map<string, number>();
  /** How often each fault has come again. */
  const repeated = new Map<string, number>();

  function tellRepeated(fault: string, tell: (count: number) => void): void {
    setTimeout(() => {
      const count = repeated.get(fault) ?? 0;
      if (count === 0) return void repeated.delete(fault);
      repeated.set(fault, 0);
      tell(count);
      tellRepeated(fault, tell);
    }, repeatedMs).unref();
  }

  const log = pino(
    {
      level,
      hooks: {
        logMethod(line, write, number) {
          const [about, msg] = line as [object, string?];
          const fault = readFault(about);
          const label = log.levels.labels[number] ?? '';
          const put = (written: typeof line) => {
            lines.set(label, (lines.get(label) ?? 0) + 1);
            write.apply(this, written);
          };
          if (fault === undefined) return put(line);
          const said = () => {
            const err = describeError(fault.err, number >= errorLevel);
            put([{ ...about, ...(err !== undefined && { err }) }, msg] as unknown as typeof line);
          };
          if (number < warnLevel) return said();
          // What differs between two of the same, such as a port.
          const name = `${number} ${msg} ${fault.text}`.replace(/0x[0-9a-f]+|\d+/gi, '#');
          const count = repeated.get(name);
          if (count !== undefined) return void repeated.set(name, count + 1);
          if (repeated.size < mostFaults) {
            repeated.set(name, 0);
            tellRepeated(name, (again) => put([{ of: msg }, `repeated ${again}`] as unknown as typeof line));
          }
          said();
        },
      },
      redact: { paths: redacted, censor: '[redacted]' },
      base: origin ? { service: 'deals-feed', ...origin } : null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // It was described above.
      serializers: { err: (err: unknown) => err },
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

/** What went wrong, where a line tells of that, and by which text it is known again. */
function readFault(about: unknown): { readonly err: unknown; readonly text: string } | undefined {
  if (typeof about !== 'object' || about === null) return undefined;
  const { err, detail } = about as { readonly err?: unknown; readonly detail?: unknown };
  if (err === undefined && detail === undefined) return undefined;
  return { err, text: err instanceof Error ? `${err.name} ${err.message}` : String(err ?? detail) };
}

/**
 * What libraries hang on their errors is left out: a failed statement has its values, a failed call its arguments, and
 * signatures among them.
 */
function describeError(error: unknown, withStack: boolean): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutSecrets(error) : error;
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = Reflect.get(error, 'code');
  return {
    type,
    message: withoutSecrets(message),
    ...(withStack && { stack: withoutSecrets(stack) }),
    ...(typeof code === 'string' && { code }),
  };
}

/** Addresses of nodes and databases hold keys; calldata and signatures are longer than a hash. */
const secret = /\b(https?|wss?|postgres(ql)?):\/\/\S+|\b0x[0-9a-f]{65,}/gi;

function withoutSecrets(text: string): string {
  return text.replace(secret, '[redacted]');
}
