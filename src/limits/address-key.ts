/**
 * The key under which calls from an address are counted: an IPv4 address unchanged, also when written as IPv6. For any
 * other IPv6 address the first 64 bits, since a caller usually owns all addresses below them.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  // Fast path: the form in which the system writes most addresses.
  const written = /^(?:(?:0|[1-9a-f][0-9a-f]{0,3}):){4}/.exec(address)?.[0];
  if (written !== undefined) return `${written}:/64`;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - first.length - (tail === '' ? 0 : tail.split(':').length);
  const groups = [...first, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
