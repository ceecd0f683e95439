/** Where a link of an answer leads, when that is a page; nowhere for anything else, a `javascript:` above all. */
export const hrefOf = (url: string): string | undefined => (/^(?:https?:\/\/|\/(?!\/)|#)/i.test(url) ? url : undefined);
