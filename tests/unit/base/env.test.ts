import { readFileSync } from 'node:fs';
import { parseEnv as parseDotEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { envSchema, parseEnv } from '#lib/base/env.ts';
import { testEnv } from '#tests/support/env.ts';

/** Commented-out variables count as listed. */
const exampleText = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
const example = parseDotEnv(exampleText.replaceAll(/^# ([A-Z_]+=)/gm, '$1'));
const VARIABLES = Object.entries(envSchema().shape);

describe('.env.example', () => {
  test('lists exactly the variables of the schema', () => {
    expect(Object.keys(example).toSorted()).toEqual(Object.keys(envSchema().shape).toSorted());
  });

  test.each(VARIABLES)('says what %s is for in the words of the schema', (name, schema) => {
    const purpose = `# ${schema.description}\n`;
    expect([`${purpose}${name}=`, `${purpose}# ${name}=`].some((lines) => exampleText.includes(`\n${lines}`))).toBe(
      true,
    );
  });

  test('shows the default of every variable that has one', () => {
    for (const [name, schema] of VARIABLES) {
      const byDefault = schema.safeParse(undefined);
      if (!byDefault.success || byDefault.data === undefined) continue;
      expect(schema.parse(example[name]), name).toEqual(byDefault.data);
    }
  });

  test('becomes valid once the required values are filled in', () => {
    expect(() => parseEnv({ ...example, ...testEnv() })).not.toThrow();
  });
});

/** No value of these is bad by its form. */
const TAKE_ANY_TEXT = new Set([
  'POSTGRES_URL',
  'POSTGRES_URL_NON_POOLING',
  'KV_REST_API_TOKEN',
  'QSTASH_TOKEN',
  'QSTASH_CURRENT_SIGNING_KEY',
  'QSTASH_NEXT_SIGNING_KEY',
  'CRON_SECRET',
  'OPENAI_API_KEY',
  'OPENAI_MODEL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'VERCEL',
  'VERCEL_GIT_COMMIT_SHA',
]);

const TOKEN_OF_WITNESS = 'token-of-a-witness-0123456789';
const witness = (url: string) => `rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh=${url}#${TOKEN_OF_WITNESS}`;

test('a witness is named by its key, its address and its token', () => {
  expect(parseEnv(testEnv({ WITNESSES: `${witness('https://w.example/')}` })).WITNESSES).toEqual([
    { key: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', url: 'https://w.example', token: TOKEN_OF_WITNESS },
  ]);
  expect(parseEnv(testEnv({ WITNESSES: witness('http://127.0.0.1:4400') })).WITNESSES).toHaveLength(1);
});

test.each([
  ['without TLS beyond this machine', witness('http://w.example')],
  ['with a password in its address', witness('https://a:b@w.example')],
  ['with a key whose checksum does not fit', witness('https://w.example').replace('rHb9', 'rHb8')],
  ['twice', `${witness('https://w.example')},${witness('https://v.example')}`],
])('a witness %s is refused, and its token is not in the message', (_, WITNESSES) => {
  const parse = () => parseEnv(testEnv({ WITNESSES }));
  expect(parse).toThrow(/WITNESSES/);
  expect(parse).not.toThrow(new RegExp(TOKEN_OF_WITNESS));
});

describe('settings that are not valid', () => {
  test('one ledger server named twice, in any spelling, is no two servers', () => {
    expect(() => parseEnv(testEnv({ XRPL_URLS: 'wss://a.example,wss://A.example:443/' }))).toThrow(/XRPL_URLS.*twice/);
  });

  test('every fault is named at once', () => {
    const faulty = testEnv({ POSTGRES_URL: undefined, QSTASH_TOKEN: '', CONFIRMATIONS: '-1', XRPL_URLS: 'http://x' });
    expect(() => parseEnv(faulty)).toThrow(/POSTGRES_URL[\s\S]*QSTASH_TOKEN[\s\S]*XRPL_URLS[\s\S]*CONFIRMATIONS/);
  });

  test.each(VARIABLES)('a bad value of %s is never quoted', (name) => {
    const value = '\u0001 sEdTM1uX8pu2do5XvTnutH6HsouMaM2 \u0001';
    const parse = () => parseEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '0', [name]: value }));
    if (TAKE_ANY_TEXT.has(name)) {
      expect(parse).not.toThrow();
      return;
    }
    expect(parse).toThrow(name);
    expect(parse).not.toThrow('sEdTM1');
  });

  test('a short scheduler secret is refused', () => {
    expect(() => parseEnv(testEnv({ CRON_SECRET: 'short' }))).toThrow('CRON_SECRET');
  });

  test('half of the credentials of Xaman is refused', () => {
    const half = { XAMAN_API_KEY: '5f7e0c1a-1111-4222-8333-444455556666' };
    expect(() => parseEnv(testEnv(half))).toThrow('XAMAN_API_SECRET');
  });

  test('webhooks to this machine are refused on Vercel', () => {
    expect(() => parseEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '1', VERCEL: '1' }))).toThrow('WEBHOOK_ALLOW_LOOPBACK');
    expect(() => parseEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '0', VERCEL: '1' }))).not.toThrow();
  });
});

test('an empty value counts as not set', () => {
  expect(parseEnv(testEnv({ CONFIRMATIONS: '', CRON_SECRET: '' }))).toMatchObject({ CONFIRMATIONS: 1 });
});
