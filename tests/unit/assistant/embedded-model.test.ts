import { describe, expect, test } from 'vitest';
import { LABELS, readExamples } from '#lib/assistant/embedded/model/examples.ts';
import { load } from '#lib/assistant/embedded/model/model.ts';
import { digestOf } from '#lib/assistant/embedded/model/train.ts';
import stored from '#lib/assistant/embedded/model/weights.json' with { type: 'json' };
import { HELD_OUT } from '#tests/integration/assistant/held-out.ts';

const FEWEST = 20;
const READY_WITHIN_MS = 50;

/** Its words alone. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/\bwhats\b/g, 'what is')
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';

describe('the model that recognises questions', () => {
  const examples = readExamples();

  test('was trained on the examples as they are: else run train-main.ts', () => {
    expect(digestOf(examples)).toBe(stored.digest);
    expect(stored.labels).toEqual(LABELS);
  });

  test('has enough examples of everything, and none of two things', () => {
    const seen = new Map<string, string>();
    const twice = examples.filter(({ label, text }) => {
      const other = seen.get(plain(text));
      seen.set(plain(text), label);
      return other !== undefined && other !== label;
    });
    expect(twice).toEqual([]);
    const few = LABELS.filter((label) => examples.filter((example) => example.label === label).length < FEWEST);
    expect(few).toEqual([]);
  });

  test('has seen none of the wordings that it is measured by', () => {
    const known = new Set(examples.map(({ text }) => plain(text)));
    const seen = HELD_OUT.flatMap(({ said }) => [said].flat().slice(-1)).filter((text) => known.has(plain(text)));
    expect(seen).toEqual([]);
  });

  test('says of each example what it is an example of, but for a few in a hundred', () => {
    const { judge } = load(stored);
    const every = examples.filter((_, place) => place % 5 === 0);
    const others = every.filter(({ label, text }) => judge(text)[0]?.label !== label);
    expect(others.length / every.length).toBeLessThan(0.03);
  });

  test(`is ready, and has answered once, within ${READY_WITHIN_MS} ms of processor time`, () => {
    const took = Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage();
      load(stored).judge('what tag do i need');
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...took)).toBeLessThan(READY_WITHIN_MS);
  });
});
