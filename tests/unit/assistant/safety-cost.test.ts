import { beforeAll, expect, test } from 'vitest';
import { advises } from '#lib/assistant/safety/advice.ts';
import { withoutForeignAddresses } from '#lib/assistant/safety/allowed-link.ts';
import { cleanBlock } from '#lib/assistant/safety/clean-block.ts';
import { Evidence } from '#lib/assistant/safety/figures.ts';
import { judgeBlock } from '#lib/assistant/safety/judge-block.ts';
import { redact } from '#lib/assistant/safety/redact.ts';
import { keyIn } from '#lib/assistant/safety/secrets-in.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

beforeAll(() => applyEnv(testEnv()));

/** The machine may be busy with others: what is measured is the time of the processor. */
const PATIENCE_MS = 120_000;
/** As long as a message and a block may be. */
const LENGTH = 4_000;
const PARTS = [
  'a',
  '1',
  'a1',
  'A',
  'A ',
  '1 ',
  '1,',
  '1.',
  '1 000',
  's',
  's1',
  'sEd',
  '.',
  'a.',
  '@',
  'a@',
  'a-',
  'r1',
  '+1 ',
  '12-',
  '(123) ',
  'you should ',
  'will be ',
  'buy ',
  'not ',
  'http://',
  'www.',
  'twenty ',
  'hundred ',
  'private key ',
  'ab12 ',
  '_',
  'a_',
  '\u0661',
  'guaranteed ',
  'price ',
  'phone ',
  'bearer ',
  'A 123456 ',
  'abandon ',
  'eyJ',
  'tr_live_',
  '0x',
  'ED',
  ' \n',
  '[',
  '](x)',
  '![',
  '> ',
  '- ',
  '**a',
  '`',
  '| ',
  '<a ',
  'silly ',
  'send your ',
];

test(
  'no text makes a check slow',
  () => {
    const evidence = new Evidence();
    const slow: string[] = [];
    for (const part of PARTS) {
      const text = part.repeat(LENGTH / part.length);
      for (const [name, check] of [
        ['keyIn', () => keyIn(text)],
        ['redact', () => redact(text)],
        ['advises', () => advises(text)],
        ['addresses', () => withoutForeignAddresses(text)],
        ['missing', () => evidence.missing(text)],
        ['add', () => evidence.add(text)],
        ['clean', () => cleanBlock(text)],
        ['judge', () => judgeBlock(text, evidence)],
      ] as const) {
        // Of this thread alone: other files run beside it.
        const before = process.threadCpuUsage();
        check();
        const { user, system } = process.threadCpuUsage(before);
        if ((user + system) / 1000 > 500) slow.push(`${name} ${part} ${(user + system) / 1000} ms`);
      }
    }
    expect(slow).toEqual([]);
  },
  PATIENCE_MS,
);
