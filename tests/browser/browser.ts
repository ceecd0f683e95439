import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';

const { manifest } = inject('sandbox');
export const BASE_URL = manifest.base_url;

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Nothing of Chromium's own may reach for another host: what is seen is what the pages do. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = CANDIDATES.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    throw new Error('No Chromium: install the package chromium, or name one in CHROMIUM');
  }
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

export interface Watched {
  context: BrowserContext;
  page: Page;
  /** Everything that no page may do: errors in the console, and requests to another host. */
  wrongs: string[];
}

/** A page under watch. What the browser says of an answer of 4xx that a test asked for is no error of the page. */
export async function openPage(
  browser: Browser,
  { width = 1440, theme = 'light' }: { width?: number; theme?: 'light' | 'dark' } = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const wrongs: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') wrongs.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => void wrongs.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== BASE_URL && protocol !== 'data:') wrongs.push(`${page.url()} asks ${request.url()}`);
  });
  return { context, page, wrongs };
}
