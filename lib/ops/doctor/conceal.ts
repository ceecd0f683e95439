import { redactText } from '#lib/base/log.ts';

const SECRET_SETTINGS = [
  'KV_REST_API_TOKEN',
  'QSTASH_TOKEN',
  'QSTASH_CURRENT_SIGNING_KEY',
  'QSTASH_NEXT_SIGNING_KEY',
  'CRON_SECRET',
];
/** Shorter ones would blot out ordinary words. */
const SHORTEST = 6;

function passwordIn(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { password } = new URL(url);
  return [password, decodeURIComponent(password)];
}

/** Blots out of a text whatever these settings keep secret, and whatever looks like a secret. */
export function concealer(source: Record<string, string | undefined>): (text: string) => string {
  const secrets = [
    ...SECRET_SETTINGS.map((name) => source[name] ?? ''),
    ...passwordIn(source.POSTGRES_URL),
    ...passwordIn(source.POSTGRES_URL_NON_POOLING),
    ...(source.SIGNING_KEYS ?? '').split(',').map((entry) => entry.split(':').at(-1) ?? ''),
    ...(source.WEBHOOK_ENCRYPTION_KEYS ?? '').split(',').map((entry) => entry.split(':').at(-1) ?? ''),
  ].filter((secret) => secret.length >= SHORTEST);
  return (text) => redactText(secrets.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text));
}
