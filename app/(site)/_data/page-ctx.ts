import { randomBytes } from 'node:crypto';
import { cache } from 'react';
import { newId } from '#lib/base/ids.ts';
import { createCtx } from '#lib/ctx.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

/** What a page reads with: nobody in particular, and one context for all parts of one page. */
export const pageCtx = cache(() => createCtx(newId('req', randomBytes), { kind: 'anonymous' }, lazyLedger));
