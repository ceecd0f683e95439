import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

const WALLET = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const withField = (text: string) => `{"wallet_address":"${WALLET}",${text}}`;
const send = (text: string) => stage.ask<Record<string, unknown>>('create', undefined, { text });

describe('a body that reaches for prototypes', () => {
  test.each([
    ['__proto__', withField('"__proto__":{"polluted":true,"scopes":["webhooks:write"]}')],
    ['__proto__ alone', '{"__proto__":{"wallet_address":"rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"}}'],
    ['an escaped __proto__', withField('"\\u005f_proto__":{"polluted":true}')],
    ['constructor', withField('"constructor":{"prototype":{"polluted":true}}')],
    ['prototype', withField('"prototype":{"polluted":true}')],
    [
      '__proto__ inside a proof',
      withField('"proof":{"__proto__":{"polluted":true,"challenge_id":"chl_0000000000000000000000"}}'),
    ],
    ['an object for a list', withField('"scopes":{"__proto__":[],"length":1,"0":"webhooks:write"}')],
  ])('by %s is refused, and changes none', async (_, text) => {
    expect(await send(text)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect('polluted' in {}).toBe(false);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('a body that is deep', () => {
  test.each([
    ['lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    ['a name', withField(`"name":${'['.repeat(30_000)}${']'.repeat(30_000)}`)],
    ['a proof', withField(`"proof":${'{"proof":'.repeat(5_000)}1${'}'.repeat(5_000)}`)],
    ['U+0000 at the bottom', withField(`"name":${'['.repeat(30_000)}"\\u0000"${']'.repeat(30_000)}`)],
  ])('in %s is refused at once', async (_, text) => {
    const startedAt = performance.now();
    const { status, body } = await send(text);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(JSON.stringify(body).length).toBeLessThan(2_000);
  });
});

describe('a number that is none of ours', () => {
  test.each([
    '1e999',
    '-1e999',
    '1e308',
    '9007199254740993',
    '9'.repeat(50_000),
    '0.5',
    '0',
    '-1',
    '3651',
    '1e-400',
    '"30"',
    'null',
  ])('is refused as days to live: %#', async (number) => {
    const { status, body } = await send(withField(`"expires_in_days":${number}`));
    expect({ status, fields: [...new Set(body.errors?.map(({ field }) => field))] }).toEqual({
      status: 400,
      fields: ['expires_in_days'],
    });
  });

  test('is taken in another spelling of the same whole number', async () => {
    const { status, body } = await send(withField('"expires_in_days":3e1'));
    expect(status).toBe(201);
    expect(Date.parse(String(body.expires_at)) - Date.parse(String(body.created_at))).toBe(30 * 86_400_000);
  });
});

describe('a name with a Unicode trick', () => {
  test.each([
    ['that turns the text around', '\\u202Eyek emoh'],
    ['isolated from its direction', 'a\\u2066b\\u2069'],
    ['of no width', 'ho\\u200Bme'],
    ['joined by nothing seen', 'ho\\u2060me'],
    ['with a byte order mark', 'ho\\uFEFFme'],
    ['with a soft hyphen', 'ho\\u00ADme'],
    ['with tag letters', 'home\\uDB40\\uDC41'],
    ['on two lines', 'home\\nroot'],
    ['with an escape sequence', '\\u001B[31mhome'],
    ['with a C1 control', 'ho\\u0085me'],
    ['with U+0000', 'ho\\u0000me'],
    ['with half a surrogate pair', 'home\\uD83D'],
    ['that is blank', '\\u00A0\\u3000'],
    ['of a blank Braille pattern', '\\u2800'],
    ['of a Hangul filler', '\\u3164'],
    ['of marks alone', '\\u0301\\u0301'],
    ['on a line of its own kind', 'home\\u2028root'],
    ['that is too long', 'x'.repeat(65)],
  ])('is refused: one %s', async (_, name) => {
    const { status, body } = await send(withField(`"name":"${name}"`));
    expect({ status, fields: [...new Set(body.errors?.map(({ field }) => field))] }).toEqual({
      status: 400,
      fields: ['name'],
    });
  });

  test.each(['Empfänger №1', 'Ключ', '受信者', 'مستقبل', 'prod 🪙'])('but an honest one is taken: %s', async (name) => {
    expect((await send(withField(`"name":${JSON.stringify(name)}`))).status).toBe(201);
  });
});
