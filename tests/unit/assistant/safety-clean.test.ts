import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanBlock } from '#lib/assistant/safety/clean-block.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => applyEnv(testEnv({ BASE_URL: 'https://tranche.test', XRPL_NETWORK_ID: '0' })));
afterAll(() => applyEnv(testEnv()));

const clean = (text: string) => cleanBlock(text).markdown;

describe('HTML, images and links of others leave nothing behind', () => {
  test.each([
    ['<script>alert(1)</script>', ''],
    ['a <b onclick="x()">bold</b> word', 'a bold word'],
    ['<div>\nhidden\n</div>', ''],
    ['&lt;img src=x onerror=y&gt;', '‹img src=x onerror=y>'],
    ['![pixel](https://evil.test/p.png)', ''],
    ['[buy here](https://evil.test/now)', 'buy here'],
    ['[buy](javascript:alert(1))', 'buy'],
    ['[x](data:text/html;base64,PHN2Zz4=)', 'x'],
    ['[x](//evil.test/a)', 'x'],
    ['[x](https://tranche.test@evil.test/)', 'x'],
    ['[x](https://tranche.test.evil.test/)', 'x'],
    ['<https://evil.test/a>', '[link removed]'],
    ['see https://evil.test/a, now', 'see [link removed], now'],
    ['see www.evil-coin.com and xrp-giveaway.io/claim', 'see [link removed] and [link removed]'],
    ['write to help@evil.test', 'write to [address removed]'],
    ['[a][b]\n\n[b]: https://evil.test', 'a'],
  ])('%s', (given, expected) => {
    const markdown = clean(given);
    expect(
      markdown.replaceAll('\\[link removed]', '[link removed]').replaceAll('\\[address removed]', '[address removed]'),
    ).toBe(expected);
    expect(markdown).not.toMatch(/<[a-z/!]|evil(?!\.test$)|!\[|javascript:/i);
  });

  test('nor do addresses in code, but for examples that nobody owns', () => {
    expect(clean('`curl https://evil-coin.com/x`')).toBe('`curl [link removed]`');
    expect(clean('```sh\ncurl https://hooks.example.com/x\n```')).toBe('```sh\ncurl https://hooks.example.com/x\n```');
  });
});

describe('what a reply may hold stays', () => {
  test.each([
    '**500.000000 XRP** buys *4,987.654321 DMO* in tier 1.',
    'Pay to `rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh` with tag `123456789`.',
    'The project proj_5kQ2mB7xN0aYh3uVtR8wZc.',
    '[The sale](https://tranche.test/projects/demo)',
    '[The transaction](https://livenet.xrpl.org/transactions/AB)',
    '1. one\n2. two',
    '- a\n- b',
    '| tier | price |\n| - | - |\n| 1 | 0.10 |',
    '```json\n{"a": "<your key>"}\n```',
    '> quoted',
    '## Heading',
    'a < b and 5 > 3',
    'It ends soon.To pay, send XRP. See investment.confirmed and verify-sale.',
  ])('%s', (markdown) => {
    expect(clean(markdown)).toBe(markdown);
  });

  test('a page of ours by its path becomes a whole address', () => {
    expect(clean('[status](/api/system/status)')).toBe('[status](https://tranche.test/api/system/status)');
  });
});

test('what is left open is closed: no block reaches into the next', () => {
  expect(clean('```\ncode')).toBe('```\ncode\n```');
  expect(clean('**bold')).toBe('\\*\\*bold');
  expect(clean('`code')).toBe('\\`code');
});

test('a reader sees marks as nothing: figures cannot hide between them', () => {
  expect(cleanBlock('1**000**<b></b>`000` XRP').plain).toBe('1000000 XRP');
  expect(cleanBlock('500000. XRP').plain).toContain('500000');
});

test('where a link leads and what a code block calls itself hides no figure', () => {
  const explorer = 'https://livenet.xrpl.org/accounts/rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
  expect(cleanBlock(`[The deposit address](${explorer})`).plain).toContain('rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe');
  expect(clean('```tag-66778899\nx\n```')).toBe('```\nx\n```');
});

test('deep nesting ends quickly', () => {
  const started = process.cpuUsage();
  for (const opening of ['> ', '- ', '*', '[', '![', '<a>', '`', '_a ', '| '])
    clean(opening.repeat(4_000 / opening.length));
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1e6).toBeLessThan(5);
});
