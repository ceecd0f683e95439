import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules that see a theme. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

interface WithAxe {
  axe?: { run(options: RunOptions): Promise<AxeResults> };
}

/** What axe finds, in words: the rule, what it is about, and where. */
export async function violations(page: Page, options: RunOptions = {}): Promise<string[]> {
  // The title of a page that is gone to within the site comes in the same stream as the rest, and may be the last to arrive.
  await page.waitForFunction(() => document.title !== '');
  if (await page.evaluate(() => (globalThis as WithAxe).axe === undefined)) await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(
    (given) => (globalThis as unknown as Required<WithAxe>).axe.run(given),
    options,
  );
  return found.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`).join('; ')})`,
  );
}

/** The system turns to a theme, and the page is drawn in it: colours in transition are of neither. */
async function turnTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** The same in both themes, as a system's change of theme brings them: everything in light, and the colours again in dark. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await turnTo(page, 'light');
  const inLight = await violations(page);
  await turnTo(page, 'dark');
  const inDark = await violations(page, COLOURS);
  return [...inLight.map((found) => `light: ${found}`), ...inDark.map((found) => `dark: ${found}`)];
}

/** By how many pixels the page is wider than its window; 0 when all of it fits. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    // Until its own letters are there, the page is set in others, of another width.
    await document.fonts.ready;
    return Math.max(0, document.documentElement.scrollWidth - innerWidth);
  });
