import { randomBytes } from 'node:crypto';
import { createCtx } from '#lib/ctx.ts';
import { newId } from '#lib/platform/ids.ts';

/** What is drawn from the books alone: without the ledger, whose library is then no part of it. */
export const bookCtx = () => createCtx(newId('req', randomBytes), { kind: 'anonymous' });
