import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Response as Answer, type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';

const own = inject('sandboxes')[Number(process.env.VITEST_POOL_ID) - 1];
if (own === undefined) throw new Error('This worker has no sandbox: tests/browser/sandbox.ts starts one for each');
/** The sandbox of this worker: no other file uses it while this one runs. */
export const { manifest, logFolder } = own;
export const BASE_URL = manifest.base_url;
/** For what comes within seconds on a quiet machine, and later on a slow one or while a cron is waited for. */
export const WAIT_MS = 60_000;

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** What Playwright disables: its list is repeated here, since the last one that Chromium is given counts alone. */
const DISABLED_BY_PLAYWRIGHT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints', 'AimEnabled'],
  ...['NetworkTimeServiceQuerying', 'PreconnectToSearch'],
];
/** The address bar's suggestions, which are pages of their own: each window would load two, for over a second. */
const SUGGESTIONS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Nothing of Chromium's own may reach for another host: what is seen is what the pages do. */
const ARGUMENTS = [
  `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...SUGGESTIONS].join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function chromiumPath(): string {
  const found = CANDIDATES.find((candidate) => candidate !== undefined && existsSync(candidate));
  if (found === undefined) throw new Error('No Chromium: install the package chromium, or name one in CHROMIUM');
  return found;
}

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath(), args: ARGUMENTS });

/** A browser of a phone's width with the sandbox's stand-in wallet, as a person loads it. */
export function openBrowserWithWallet(): Promise<BrowserContext> {
  const extension = path.resolve(import.meta.dirname, '../../sandbox/wallet');
  return chromium.launchPersistentContext('', {
    executablePath: chromiumPath(),
    // Playwright's own headless mode leaves extensions out.
    headless: false,
    args: [...ARGUMENTS, '--headless=new', `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
    viewport: { width: 390, height: 900 },
    reducedMotion: 'reduce',
  });
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
  return { context, page, wrongs: watch(page) };
}

/** Collects what no page may do. */
export function watch(page: Page): string[] {
  const wrongs: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') wrongs.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => void wrongs.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== BASE_URL && protocol !== 'data:') wrongs.push(`${page.url()} asks ${request.url()}`);
  });
  return wrongs;
}

/**
 * Until the scripts of the page have taken it over: what is clicked or typed before may be lost, and what is measured
 * before is not what a visitor is left with. The router makes its announcer once everything is alive.
 */
export const untilAlive = (page: Page): Promise<void> =>
  page.locator('next-route-announcer').first().waitFor({ state: 'attached' });

/** Keeps the page's scripts back: it is there and not alive. Gives what lets them come. */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*.js*', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Goes to an address and waits until its page is alive. */
export async function visit(page: Page, address: string): Promise<Answer | null> {
  const answer = await page.goto(address);
  await untilAlive(page);
  return answer;
}

/** Until the part of a page that asks the ledger has its answer: until then another text stands in its place. */
export const untilLedgerIsRead = (page: Page): Promise<void> =>
  page.getByText(/^(?:Read from the ledger a moment ago|As the ledger shows them now)/).waitFor();

/** What was copied last. The browser takes it up a moment after the click: poll it. */
export const clipboardOf = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
