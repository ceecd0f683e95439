import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test('the package of the language model is loaded in one place, and there only when it is first asked', () => {
  const loading = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) => {
    const statements = readFileSync(path.join(ROOT, file), 'utf8').match(/^.*['"]openai(?:\/[^'"]*)?['"].*$/gm) ?? [];
    return statements.filter((line) => !line.startsWith('import type ')).map((line) => [file, line.trim()]);
  });
  expect(loading).toEqual([['lib/assistant/openai/client.ts', "const { OpenAI } = await import('openai');"]]);
});
