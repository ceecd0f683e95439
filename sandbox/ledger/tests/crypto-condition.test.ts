import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fulfills, parseCondition } from '../engine/cryptoCondition.ts';

const hex = (...bytes: number[]): string => Buffer.from(bytes).toString('hex').toUpperCase();
const PRINT = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855';

/** Condition and fulfillment of a preimage of that many bytes. */
function pair(size: number) {
  const preimage = Buffer.alloc(size, 7);
  const cost = size < 128 ? hex(0x81, 1, size) : hex(0x81, 2, 0, size);
  const fingerprint = hex(0x80, 32) + createHash('sha256').update(preimage).digest('hex').toUpperCase();
  const body = fingerprint + cost;
  const long = (length: number): string => (length < 128 ? hex(length) : hex(0x81, length));
  const field = hex(0x80) + long(size) + preimage.toString('hex').toUpperCase();
  return { condition: hex(0xa0, body.length / 2) + body, fulfillment: hex(0xa0) + long(field.length / 2) + field };
}

test('a fulfillment meets the condition of its own preimage and no other', () => {
  const [none, one, most] = [pair(0), pair(1), pair(128)];
  for (const { condition, fulfillment } of [none, one, most]) expect(fulfills(fulfillment, condition)).toBe(true);
  expect(none).toEqual({ condition: `A0258020${PRINT}810100`, fulfillment: 'A0028000' });
  expect(fulfills(one.fulfillment, none.condition)).toBe(false);
  expect(fulfills(none.fulfillment, most.condition)).toBe(false);
});

test('a condition says how long its preimage is, and a fulfillment of another length does not meet it', () => {
  const { condition, fulfillment } = pair(5);
  expect(parseCondition(condition)?.cost).toBe(5);
  expect(fulfills(fulfillment, `${condition.slice(0, -2)}06`)).toBe(false);
});

test('a preimage of more than 128 bytes is refused, in a condition and in a fulfillment', () => {
  const { condition, fulfillment } = pair(129);
  expect(parseCondition(condition)).toBeUndefined();
  expect(fulfills(fulfillment, condition)).toBe(false);
});

describe('malformed conditions are refused:', () => {
  const cases: Record<string, string> = {
    nothing: '',
    'a tag alone': 'A0',
    'a type the ledger does not take': `A1258020${PRINT}810100`,
    'a tag in long form': `BF258020${PRINT}810100`,
    'a primitive tag': `80258020${PRINT}810100`,
    'more than it says': `A0258020${PRINT}81010000`,
    'less than it says': `A0268020${PRINT}810100`,
    'an indefinite length': `A0808020${PRINT}810100`,
    'a length of nothing in long form': `A081008020${PRINT}810100`,
    'a length of nine bytes': `A0890000000000000000258020${PRINT}810100`,
    'a short fingerprint': `A024801F${PRINT.slice(2)}810100`,
    'no cost': `A0228020${PRINT}`,
    'a cost of no bytes': `A0248020${PRINT}8100`,
    'a negative cost': `A0258020${PRINT}810180`,
    'a cost of six bytes': `A02A8020${PRINT}8106000000000000`,
    'a cost of five bytes that begins with none of zero': `A0298020${PRINT}81050100000000`,
    'something behind the cost': `A0278020${PRINT}8101000500`,
    'the fields in another order': `A025810100${`8020${PRINT}`}`,
  };
  test.each(Object.entries(cases))('%s', (_, condition) => {
    expect(parseCondition(condition)).toBeUndefined();
    expect(fulfills('A0028000', condition)).toBe(false);
  });
});

test('leading zeros in a length and in a cost are taken, as on the server', () => {
  expect(parseCondition(`A08200258020${PRINT}810100`)).toEqual({ fingerprint: PRINT, cost: 0 });
  expect(parseCondition(`A0298020${PRINT}81050000000000`)).toEqual({ fingerprint: PRINT, cost: 0 });
});

test('a fulfillment that is malformed meets nothing', () => {
  const { condition } = pair(0);
  for (const fulfillment of ['', 'A0', 'A000', 'A0028000FF', 'A0038000FF', 'A0028100', 'A1028000', '80028000']) {
    expect(fulfills(fulfillment, condition)).toBe(false);
  }
});
