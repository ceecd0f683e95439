import { describe, expect, it } from 'vitest';
import { csvLines } from '#lib/sales/published/rows-as-text.ts';

const line = (text: string | null) => csvLines([{ text, n: 1 }], ['text', 'n'], { header: false });

describe('a CSV line', () => {
  it.each([
    '=1+',
    '=HYPERLINK("http://evil.example";"win")',
    '+1',
    '-1',
    '@SU',
    '\t=1',
    '\r=1',
    '＝1',
    '＋1',
    '－1',
    '＠SU',
  ])('never begins a field with what a spreadsheet runs as a formula: %j', async (text) => {
    expect(await line(text)).toMatch(/^"?'/);
  });

  it('quotes what would break it, doubles quotes, and ends with CRLF', async () => {
    expect(await line('a,b')).toBe('"a,b",1\r\n');
    expect(await line('a"b')).toBe('"a""b",1\r\n');
    expect(await line('a\nb')).toBe('"a\nb",1\r\n');
    expect(await line('a\rb')).toBe('"a\rb",1\r\n');
  });

  it('leaves plain text, amounts and nothing at all as they are', async () => {
    expect(await line('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')).toBe('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh,1\r\n');
    expect(await line('250.000000')).toBe('250.000000,1\r\n');
    expect(await line(null)).toBe(',1\r\n');
  });

  it('may stand under a header, also alone', async () => {
    expect(await csvLines([{ a: 1 }], ['a'], { header: true })).toBe('a\r\n1\r\n');
    expect(await csvLines<{ a: number }>([], ['a'], { header: true })).toBe('a\r\n');
  });
});
