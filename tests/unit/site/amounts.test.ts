import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Xrp } from '../../../app/(site)/_ui/amounts.tsx';

const markup = (value: string, isExact = false) => renderToStaticMarkup(createElement(Xrp, { value, isExact }));
/** What is copied or read aloud: all but what is hidden from it. */
const heard = (html: string) =>
  html.replace(/<span aria-hidden="true"[^>]*>[^<]*<\/span>/g, '').replace(/<[^>]+>/g, '');
const seen = (html: string) => html.replace(/<span class="sr-only">[^<]*<\/span>/g, '').replace(/<[^>]+>/g, '');

test('an amount with many digits is seen cut to two, and heard, copied and shown on demand exactly', () => {
  const html = markup('1234.567891');
  expect(seen(html)).toBe('1,234.56 XRP');
  expect(heard(html)).toBe('1,234.567891 XRP');
  expect(html).toContain('title="1,234.567891 XRP"');
  // What is seen is not selected: a copy holds the exact amount alone.
  expect(html).toMatch(/aria-hidden="true" class="select-none"/);
});

test('an amount that loses nothing is written once, and so is each amount of a receipt', () => {
  for (const html of [markup('250.500000'), markup('0.123456'), markup('1234.567891', true)]) {
    expect(seen(html)).toBe(heard(html));
    expect(html).not.toContain('title=');
  }
  expect(seen(markup('1234.567891', true))).toBe('1,234.567891 XRP');
});
