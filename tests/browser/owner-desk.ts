import type { Page } from 'playwright-core';
import { Wallet } from 'xrpl';
import { registerSecrets } from '#tests/support/secrets.ts';
import { BASE_URL, untilAlive, visit, WAIT_MS } from './browser.ts';
import { signShown } from './signing-program.ts';

/** A wallet of somebody new; its seed is never printed. */
export function newWallet(): Wallet {
  const wallet = Wallet.generate();
  registerSecrets(wallet.seed);
  return wallet;
}

/** Signs in to the owners' console as its page shows it, by default to the wallet's own tenant. */
export async function signInAsOwner(page: Page, wallet: Wallet, address = `${BASE_URL}/owner/login`): Promise<void> {
  await visit(page, address);
  await page.getByLabel('Wallet address').fill(wallet.address);
  await signShown(page, wallet.seed ?? '');
  await page.getByRole('button', { name: /^(?:Sign in|Accept and sign in)$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'My sales' }).waitFor({ timeout: WAIT_MS });
  await untilAlive(page);
}

/** Opens a form of the console, fills it in, sends it, and waits for what it answers. */
export async function send(page: Page, label: string, fill: () => Promise<unknown>, answer: string): Promise<void> {
  await page.getByRole('button', { name: `${label}…` }).click();
  await fill();
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.getByText(answer).first().waitFor({ timeout: WAIT_MS });
}
