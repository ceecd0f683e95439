import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port is free');
  return address.port;
}

/** A Chromium that Lighthouse can attach to. Each run takes a fresh one: nothing of the run before is cached. */
export async function openChromium(): Promise<{ browser: Browser; debuggingPort: number }> {
  const executablePath = CANDIDATES.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    throw new Error('No Chromium: install the package chromium, or name one in CHROMIUM');
  }
  const debuggingPort = await freePort();
  const args = [...ARGUMENTS, `--remote-debugging-port=${debuggingPort}`];
  return { browser: await chromium.launch({ executablePath, args }), debuggingPort };
}
