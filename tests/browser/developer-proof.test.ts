import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ECDSA, Wallet } from 'xrpl';
import { registerSecrets } from '#tests/support/secrets.ts';
import { BASE_URL, openBrowser, openPage } from './browser.ts';
import { signShown } from './signing-program.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test.each([ECDSA.ed25519, ECDSA.secp256k1])(
  'a wallet with a key of %s proves itself with the program that the page shows, and ends a lost key by another proof',
  async (algorithm) => {
    const { page, context, wrongs } = await openPage(browser);
    const wallet = Wallet.generate(algorithm);
    const seed = wallet.seed ?? '';
    registerSecrets(seed);
    const sign = () => signShown(page, seed);
    await page.goto(`${BASE_URL}/developers`);
    await page.getByLabel('Wallet address').fill(wallet.classicAddress);
    await page.getByLabel('Add a wallet proof').check();
    await sign();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('The wallet is proven').waitFor();
    const lost = await page.getByTestId('secret').innerText();
    registerSecrets(lost);
    await page.getByRole('button', { name: /continue to webhooks/ }).click();

    await page.getByRole('button', { name: 'Add a key' }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const second = await page.getByTestId('secret').innerText();
    registerSecrets(second);
    await page.getByRole('button', { name: 'I stored it' }).click();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.locator('input#have-key').fill(second);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByLabel('Wallet address of this key').fill(wallet.classicAddress);
    await page.getByRole('button', { name: 'List its keys' }).click();

    const line = page.getByRole('listitem').filter({ hasText: 'proven' }).filter({ hasNotText: 'this key' });
    await line.getByRole('button', { name: /^Revoke/ }).click();
    await sign();
    await page.getByRole('button', { name: 'Revoke it by this proof' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    const refused = await fetch(`${BASE_URL}/api/webhooks`, { headers: { authorization: `Bearer ${lost}` } });
    expect(refused.status).toBe(401);
    expect(wrongs).toEqual([]);
    await context.close();
  },
);
