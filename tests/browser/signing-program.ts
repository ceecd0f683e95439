import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

const MODULES = path.resolve(import.meta.dirname, '../../node_modules');
const run = promisify(execFile);

/** Runs the program that the page shows as its reader would: in a folder with the seed, beside the package it asks for. */
async function runShown(program: string, seed: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'proof-'));
  try {
    await symlink(MODULES, path.join(folder, 'node_modules'));
    await writeFile(path.join(folder, 'sign.mjs'), program);
    await writeFile(path.join(folder, 'seed.txt'), `${seed}\n`);
    return (await run(process.execPath, ['sign.mjs'], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Asks the page for a challenge, signs it with the program that the page shows, and enters the program's output. */
export async function signShown(page: Page, seed: string): Promise<void> {
  await page.getByRole('button', { name: 'Get the signing program' }).click();
  const program = await page.getByRole('region', { name: 'the program that signs' }).innerText();
  await page.getByLabel('Output of the program').fill(await runShown(program, seed));
}
