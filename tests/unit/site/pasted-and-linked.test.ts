import { expect, test } from 'vitest';
import { hrefOf } from '../../../app/(site)/_assistant/href-of.ts';
import { readSignature } from '../../../app/(site)/developers/read-signature.ts';

test('a pasted signature is read as the program prints it, and nothing else is taken for one', () => {
  expect(readSignature(' {"public_key":"ED01 ","signature":"AB"}\n')).toEqual({ public_key: 'ED01', signature: 'AB' });
  for (const text of ['', 'sEdSeed', 'null', '[]', '{"public_key":"ED"}', '{"public_key":1,"signature":"AB"}']) {
    expect(readSignature(text)).toBeNull();
  }
});

test('a link of an answer leads to a page or nowhere', () => {
  for (const url of ['https://tranche.example/x', 'http://127.0.0.1/', '/sales/demo', '#content']) {
    expect(hrefOf(url)).toBe(url);
  }
  for (const url of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'vbscript:x',
  ]) {
    expect(hrefOf(url)).toBeUndefined();
  }
});
