/** What a field of ours may be called; no secret in any usual form fits. */
const NAME_FORM = /^[a-z0-9_]{1,40}$/;

/**
 * A name that a client chose, as an answer may repeat it: only when it looks like a name, because a secret pasted into
 * the wrong place may stand where a name belongs.
 */
export const shownName = (name: string): string => (NAME_FORM.test(name) ? name : '(unnamed)');
