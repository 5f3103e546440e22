const limit = 500;

/**
 * Patterns of secrets and their replacements: a URL's user and password, values of credential-like parameters, and
 * keys.
 */
const secrets: readonly [RegExp, string][] = [
  [/(\w:\/\/)[^\s/@]+@/g, '$1***@'],
  [
    /((?:api[_-]?key|access[_-]?key|token|secret|password|signature|authorization)["']?\s*[=:]\s*)["']?[^\s&,;"']+["']?/gi,
    '$1***',
  ],
  [/\b(?:0x)?[0-9a-f]{64,}\b/gi, '***'],
];

/** An error as one short line for the history of a job: at most 500 characters, with likely secrets removed. */
export function describeFailure(error: unknown): string {
  const text = messageOf(error);
  const line = secrets.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
  // PostgreSQL's text type takes neither a NUL nor half of a surrogate pair.
  const characters = [...Buffer.from(line.replace(/[\p{Cc}\s]+/gu, ' ').trim()).toString()];
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`;
}

/** For database errors (SQLSTATE) only the database's own message: the statement before it would use up the limit. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, name } = error;
  const isOfDatabase = 'code' in error && typeof error.code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code);
  return (isOfDatabase ? message.split(' - ').at(-1) : message) || name;
}
