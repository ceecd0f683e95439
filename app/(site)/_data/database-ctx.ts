import { randomBytes } from 'node:crypto';
import { newId } from '#lib/base/ids.ts';
import { createCtx } from '#lib/ctx.ts';

/** What is drawn from the records alone: without the ledger, whose library is then no part of it. */
export const databaseCtx = () => createCtx(newId('req', randomBytes), { kind: 'anonymous' });
