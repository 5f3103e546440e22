/** Long enough for cached copies; less than a year, as RFC 9116 recommends. */
const validMonths = 7;

/**
 * The contact for vulnerability reports (RFC 9116). It changes once a month, so that it never expires.
 * @param contactUrl an address of the operator
 */
export function securityText(contactUrl: string, publicBaseUrl: string, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + validMonths));
  return [
    `Contact: ${contactUrl}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicBaseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
