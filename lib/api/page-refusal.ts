import { randomBytes } from 'node:crypto';

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

interface Refusal {
  status: number;
  title: string;
  /** Plain words for a visitor; nothing that came with the request. */
  text: string;
  headers?: Record<string, string>;
}

/** A page that says why there is none: whole in itself, without a script, and without anything of the request. */
export function refusePage({ status, title, text, headers = {} }: Refusal): Response {
  const nonce = randomBytes(16).toString('base64');
  const html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${escaped(title)} · Tranche</title>
<style nonce="${nonce}">body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:0 auto;padding:4rem 1rem}</style></head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p><p><a href="/">To the sales</a></p></main></body></html>
`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      ...headers,
    },
  });
}
