/**
 * The address of a server, without a slash at its end: http or https, with a path at most. Undefined for anything else;
 * whoever complains must not repeat it, since a password may stand in it.
 */
export function readServerAddress(text: string): string | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text) || /[?#]/.test(text)) return undefined;
  const { username, password } = new URL(text);
  return username === '' && password === '' ? text.replace(/\/+$/, '') : undefined;
}
