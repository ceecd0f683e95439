// biome-ignore-all lint/suspicious/noConsole: what is printed is what is tested here
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { logConsole } from '#lib/base/log.ts';
import { testEnv } from '#tests/support/env.ts';

const SEED = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
const given = { ...console };
let written = '';
beforeEach(() => {
  applyEnv(testEnv({ LOG_LEVEL: 'info' }));
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  Object.assign(console, given);
  vi.restoreAllMocks();
  applyEnv(testEnv());
});

test('what is printed is one line of JSON, without secrets, colours and line ends', () => {
  logConsole();
  console.error('\x1b[31m⨯\x1b[39m', `x\n{"level":"error"}\u2028\u0085${SEED}`);
  console.warn('next-action %s', `a\r\n${SEED}`);
  const lines = written.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', msg: '⨯ x {"level":"error"} [redacted]' },
    { level: 'warn', msg: 'next-action a [redacted]' },
  ]);
});

test('an error keeps its stack and the number that its page shows, and loses the parameters of its statement', () => {
  logConsole();
  const cause = new Error(`Failed query: select 1\nparams: ${SEED},secret value`);
  console.error('⨯', Object.assign(new Error('the page failed', { cause }), { digest: '12345' }));
  expect(JSON.parse(written)).toMatchObject({
    level: 'error',
    err: {
      message: 'the page failed',
      digest: '12345',
      stack: expect.stringContaining('console-log.test'),
      cause: { message: expect.stringContaining('params: [left out]') },
    },
  });
  expect(written).not.toContain('secret value');
});

test('what is below the log’s level is not written, and a level can be turned down', () => {
  applyEnv(testEnv({ LOG_LEVEL: 'warn' }));
  logConsole((level) => (level === 'error' ? 'info' : level));
  console.log('a start');
  console.error('a failure that is the client’s');
  expect(written).toBe('');
});
