import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitBlocks } from '#lib/assistant/chat/split-blocks.ts';
import { gather } from '#tests/support/gather.ts';

async function* pieces(...texts: string[]) {
  yield* texts;
}
const blocksOf = (...texts: string[]): Promise<string[]> => gather(splitBlocks(pieces(...texts)));

test('a text is given block by block, wherever it is cut on its way', async () => {
  const text = 'One\ntwo\n\nThree\n\n- a\n\n  b\n- c\n\n```js\nx\n\ny\n```\n\nEnd';
  const whole = ['One\ntwo', 'Three', '- a\n\n  b\n- c', '```js\nx\n\ny\n```', 'End'];
  expect((await blocksOf(text)).map((block) => block.trim())).toEqual(whole);
  expect((await blocksOf(...text)).map((block) => block.trim())).toEqual(whole);
});

test('a block is given as soon as the next begins', async () => {
  const given: string[] = [];
  async function* slow() {
    yield 'One\n\n';
    expect(given).toEqual([]);
    yield 'T';
    expect(given).toEqual(['One\n\n']);
    yield 'wo';
  }
  for await (const block of splitBlocks(slow())) given.push(block);
  expect(given).toEqual(['One\n\n', 'Two']);
});

test('nothing is lost, and no block is endless', async () => {
  const part = fc.constantFrom('a', '\n', '\n\n', ' ', '```', '~~~', '- ', 'word word');
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 80 }), async (parts) => {
      const blocks = await blocksOf(...parts);
      expect(blocks.join('').replace(/\s/g, '')).toBe(parts.join('').replace(/\s/g, ''));
    }),
  );
  const long = await blocksOf('x'.repeat(3), ' y'.repeat(6_000));
  for (const block of long) expect(block.length).toBeLessThanOrEqual(4_000);
});
