/** What a field of ours may be called; no secret in any usual form fits. */
const NAME_FORM = /^[a-z0-9_]{1,40}$/;

/**
 * A name that a client chose, as an answer may repeat it: only when it looks like a name, because a secret pasted into
 * the wrong place may stand where a name belongs.
 */
export const shownName = (name: string): string => (NAME_FORM.test(name) ? name : '(unnamed)');

/**
 * Where in its own request a caller finds a field: `tiers[0].price_per_token` in a JSON body, the name of a query or path
 * parameter, and the part itself (`body`, `query`, `path`) for a fault of all of it.
 */
export const fieldPath = (part: 'body' | 'query' | 'path', steps: readonly PropertyKey[]): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? shownName(String(step)) : `${path}.${shownName(String(step))}`;
  }, '') || part;
