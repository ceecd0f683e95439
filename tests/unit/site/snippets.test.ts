import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NODE_SNIPPET, PYTHON_SNIPPET } from '../../../app/(site)/developers/snippets.ts';

const DOCS = readFileSync(path.resolve(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');

test('the developers’ page shows the very programs that docs/webhooks.md has, which are tested there', () => {
  expect(DOCS).toContain(`\`\`\`js verify.mjs tab="Node"\n${NODE_SNIPPET}\n\`\`\``);
  expect(DOCS).toContain(`\`\`\`python verify.py tab="Python"\n${PYTHON_SNIPPET}\n\`\`\``);
});
