import { expect, test } from 'vitest';
import { startSnippets, VERIFY_SNIPPETS } from '../../../app/(site)/developers/snippets.ts';

/** What a column of the developers' page holds on a desk, in characters; a tab counts as two. */
const COLUMN = 58;

test('every line of the developers’ snippets fits its column', () => {
  const snippets = [
    ...startSnippets('https://tranche.example.org', 'rYourWallet', 'https://example.org/hook'),
    ...VERIFY_SNIPPETS,
  ];
  const tooLong = snippets.flatMap(({ tab, text }) =>
    text
      .replaceAll('\t', '  ')
      .split('\n')
      .filter((line) => line.length > COLUMN)
      .map((line) => `${tab}: ${line}`),
  );
  expect(tooLong).toEqual([]);
});
