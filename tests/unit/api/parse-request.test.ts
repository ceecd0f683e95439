import { expect, test } from 'vitest';
import { parseJsonBody } from '#lib/api/parse-request.ts';

const ZERO = '\\u0000';
const faultOf = (text: string): unknown => {
  try {
    parseJsonBody(text, 'application/json');
  } catch (error) {
    return (error as { errors?: { field: string }[] }).errors?.[0]?.field;
  }
  return null;
};

test.each([
  [`{"name":"a${ZERO}b"}`, 'name'],
  [`{"tiers":[{"price":"1"},{"price":"${ZERO}"}]}`, 'tiers[1].price'],
  [`{"tiers":["a",["b","${ZERO}"]]}`, 'tiers[1][1]'],
  [`{"token":{"a${ZERO}":1}}`, 'token'],
  [`{"a${ZERO}":1}`, 'body'],
  [`"${ZERO}"`, 'body'],
  [`{"sEdTM1uX8pu2do5XvTnutH6HsouMaM2":"${ZERO}"}`, '(unnamed)'],
  [`{"__proto__":{"name":"${ZERO}"}}`, '__proto__.name'],
])('U+0000 in %s is refused at %s', (text, field) => {
  expect(faultOf(text)).toBe(field);
});

test('what only looks like it is taken', () => {
  expect(parseJsonBody(`{"name":"a\\\\u0000b"}`, 'application/json')).toEqual({ name: 'a\\u0000b' });
});

test('however deep it lies, and however much lies beside it', () => {
  const depth = 20_000;
  expect(faultOf(`${'['.repeat(depth)}"${ZERO}"${']'.repeat(depth)}`)).toMatch(/^(\[0\])+$/);
});
