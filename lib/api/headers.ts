/** In every answer. */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // For browsers that do not know frame-ancestors: all others go by that alone.
  'X-Frame-Options': 'DENY',
} as const;

/** Two years. Only an answer that came by https may say it (RFC 6797 section 7.2). */
export const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=63072000' } as const;

/** Paths of what is no page: the interface, and files that pages load. */
export const NO_PAGE = /^\/(?:api|webhooks|_next)(?:[/?]|$)/;

/** What is no page is read by programs and other pages: a browser that shows it as one loads and runs nothing of it. */
export const NO_PAGE_POLICY = { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" } as const;

/**
 * A worker has the policy of its own file: it loads this site's scripts, and asks this site and whatever ledger server a
 * visitor names. Only a page of this site can start one.
 */
export const WORKER_POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; connect-src 'self' wss: ws://127.0.0.1:* ws://localhost:*; frame-ancestors 'none'",
} as const;

/** Pages and what belongs to them are for their own site. */
export const SITE_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** The hash of `display:none`, which React's streaming puts on parts of a drawing until they are in their place. */
const HIDDEN_STYLE = "'sha256-aqNNdDLnnrDOnTNdkJpYlAxKVJtLt9CtFLklmInuUAE='";

/** By what a page's own scripts are told from all others: a nonce in each of them, or the hash of each. */
export type ScriptMarks = { nonce: string } | { scripts: readonly string[] };

/**
 * What a page may load and run: its own site's files, and the scripts that are marked. React's development build evaluates
 * text to show where an error came from.
 */
export function pagePolicy(
  marks: ScriptMarks,
  {
    isDevelopment = false,
    frameOrigins = [],
  }: {
    isDevelopment?: boolean;
    /** Whose pages may show it in a frame: each in a form that nothing of the policy can be written with. */
    frameOrigins?: readonly string[];
  } = {},
): string {
  const [scripts, styles] =
    'nonce' in marks ? [`'nonce-${marks.nonce}'`, ` 'nonce-${marks.nonce}'`] : [marks.scripts.join(' '), ''];
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts} 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self'${styles}`,
    `style-src-attr 'unsafe-hashes' ${HIDDEN_STYLE}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
  ].join('; ');
}
