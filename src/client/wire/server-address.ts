/**
 * Parses a server's http or https address: no user, query or fragment; returns it without a trailing slash. Undefined
 * for anything else. Error messages must not repeat the text, since it may contain a password.
 */
export function readServerAddress(text: string): string | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text) || /[?#]/.test(text)) return undefined;
  const { username, password } = new URL(text);
  return username === '' && password === '' ? text.replace(/\/+$/, '') : undefined;
}
