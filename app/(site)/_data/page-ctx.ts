import { randomBytes } from 'node:crypto';
import { cache } from 'react';
import { createCtx } from '#lib/ctx.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { newId } from '#lib/platform/ids.ts';

/** What a page reads with: nobody in particular, and one context for all parts of one page. */
export const pageCtx = cache(() => createCtx(newId('req', randomBytes), { kind: 'anonymous' }, lazyLedger));
