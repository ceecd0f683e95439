import { env } from '#lib/base/env.ts';
import { explorerUrl } from '#lib/base/explorer.ts';

/** Names that nobody can own (RFC 2606, RFC 6761): what examples point to. */
const EXAMPLE_HOST = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$|^127\./;

const isBeneath = (url: URL, base: string): boolean => {
  const { origin, pathname } = new URL(base);
  return url.origin === origin && url.pathname.startsWith(pathname);
};

/**
 * The address of a link as it may stand in an answer, absolute: a page of this deployment or of the ledger explorer. Null
 * for every other.
 */
export function allowedLink(given: string): string | null {
  const own = new URL('/', env().BASE_URL);
  if (!URL.canParse(given, own.href)) return null;
  const url = new URL(given, own);
  if (url.username !== '' || url.password !== '') return null;
  const explorer = explorerUrl();
  return url.origin === own.origin || (explorer !== null && isBeneath(url, explorer)) ? url.href : null;
}

/** With a scheme, or beginning with www. */
const ADDRESS = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>()[\]"'`|]+/giu;
/** A name that people type into a browser. Endings that begin sentences are left out: a space may be missing before one. */
const HOST_NAME =
  /(?<![\p{L}\p{N}_@/.-])(?:[\p{L}\p{N}-]{1,63}[.\u3002\uff0e\uff61])+(?:com|net|org|io|xyz|app|dev|finance|info|co|site|online|link|live|click|shop|biz|vip|exchange|cash|trade|gift|ly|gg|cc|ai|ru|cn)(?![\w.-]*\w)(?:\/[^\s<>()[\]"'`|]*)?/gu;
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const REMOVED = '[link removed]';

/** Where PHP reads the body of a request: no program opens it. */
const PHP_BODY = 'php://input';

const mayStand = (address: string, { isCode }: { isCode: boolean }): boolean => {
  if (isCode && address === PHP_BODY) return true;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  if (allowedLink(withScheme) !== null) return true;
  return isCode && URL.canParse(withScheme) && EXAMPLE_HOST.test(new URL(withScheme).hostname);
};

/** The text without addresses of others: readers copy them, and many programs make links of them. In code, examples may stand. */
export function withoutForeignAddresses(text: string, { isCode = false } = {}): string {
  const judged = (address: string) => (mayStand(address, { isCode }) ? address : REMOVED);
  const removed = (from: string) =>
    from.replace(EMAIL, '[address removed]').replace(ADDRESS, judged).replace(HOST_NAME, judged);
  // What takes no room parts an address for a check, and not for who copies it.
  const bare = text.replace(INVISIBLE, '');
  return bare === text || removed(bare) === bare ? removed(text) : removed(bare);
}
