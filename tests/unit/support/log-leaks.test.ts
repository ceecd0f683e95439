import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import { testEnv } from '#tests/support/env.ts';
import { findLeaks, secretsIn } from '#tests/support/log-leaks.ts';
import { evidenceFolder } from '#tests/support/secrets.ts';

const SECRET = 'planted-secret-of-this-test';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tranche-leaks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

describe('a secret that a test made', () => {
  test.each([
    ['alone', SECRET],
    ['inside a word', `x${SECRET}y`],
    ['in a field of JSON', JSON.stringify({ level: 'info', deep: { token: SECRET } })],
    ['in an address', `https://x.example/?key=${SECRET}&a=b`],
    ['at the end of a line', `used ${SECRET}`],
  ])('is found in a log, %s', (_, line) => {
    write('1.secrets', `other-secret\n${SECRET}\n`);
    write('1.log', `first\n${line}\nlast`);
    const [leak, ...others] = findLeaks(secretsIn(folder), [folder]);
    expect(leak).toEqual({
      file: path.join(folder, '1.log'),
      line: 2,
      secret: `${SECRET.slice(0, 6)}… (27 characters)`,
    });
    expect(others).toEqual([]);
  });

  test('is not repeated by the report, and not found where it is redacted', () => {
    write('1.secrets', `${SECRET}\n`);
    write('1.log', `${SECRET.slice(0, -1)}\n[redacted]\n`);
    expect(findLeaks(secretsIn(folder), [folder])).toEqual([]);
    write('2.log', SECRET);
    expect(JSON.stringify(findLeaks(secretsIn(folder), [folder]))).not.toContain(SECRET);
  });
});

test('log lines of a test go to the evidence of the run, at every level', () => {
  applyEnv(testEnv());
  const mark = path.basename(folder);
  logger().debug(`a line of ${mark}`);
  const gathered = evidenceFolder() ?? '';
  const lines = globSync('*.log', { cwd: gathered }).map((file) => readFileSync(path.join(gathered, file), 'utf8'));
  expect(lines.join('\n')).toContain(mark);
});
