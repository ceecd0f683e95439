import { appendFileSync } from 'node:fs';
import path from 'node:path';

/** Where the run gathers what `log-leaks.ts` reads in the end; set for every process of the suite. */
const FOLDER = 'TRANCHE_TEST_EVIDENCE';

export const evidenceFolder = (): string | undefined => process.env[FOLDER];
export const setEvidenceFolder = (folder: string): void => {
  process.env[FOLDER] = folder;
};

/** What is shorter is no secret: settings that a test has refused. */
export const SHORTEST_SECRET = 8;

const isLong = (text: string): boolean => text.length >= SHORTEST_SECRET;
const noted = new Set<string>();

/** Remembers secrets that a test made or was given: none may occur in a log line of the whole run. */
export function registerSecrets(...secrets: readonly (string | null | undefined)[]): void {
  const folder = evidenceFolder();
  if (folder === undefined) return;
  const fresh = secrets.filter((one) => typeof one === 'string').filter((one) => !noted.has(one) && isLong(one));
  for (const secret of fresh) noted.add(secret);
  if (fresh.length > 0) appendFileSync(path.join(folder, `${process.pid}.secrets`), `${fresh.join('\n')}\n`);
}

/** What is shown once, in an answer. */
const SHOWN_ONCE =
  /tr_(?:(?:live|test)_[0-9A-Za-z]{38}|(?:link|portal|member)_[0-9A-Za-z]{43})|whsec_[A-Za-z0-9+/]{43}=/g;

/** Remembers every API key, token of the portal or a member and webhook secret that an answer shows. */
export function registerSecretsIn(answer: string): void {
  registerSecrets(...(answer.match(SHOWN_ONCE) ?? []));
}

/** The token that PLATFORM_TOKEN names is one of the ledger, and public. */
const isSecretSetting = (name: string): boolean =>
  name !== 'PLATFORM_TOKEN' && /(?:TOKEN|SECRET|_KEY|_KEYS)$/.test(name);

/** Remembers the secrets among settings; of `id:key` and `address=algorithm:seed` the last part. */
export function registerSettings(settings: Record<string, string | undefined>): void {
  for (const [name, value = ''] of Object.entries(settings)) {
    if (isSecretSetting(name)) registerSecrets(...value.split(',').map((entry) => entry.split(':').at(-1)));
    if (URL.canParse(value)) registerSecrets(new URL(value).password);
  }
}
