/**
 * What a currency code is called: three characters as they are; 160 bits as the name that they often spell in ASCII, filled
 * up with zeros; null when they spell none. Pure, and for browsers too.
 */
export function spelledCurrency(code: string): string | null {
  if (!/^[0-9A-F]{40}$/i.test(code)) return code;
  const letters = (code.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  const text = letters.join('').replace(/\0+$/, '');
  return /^[0-9A-Za-z._-]{3,20}$/.test(text) ? text : null;
}
