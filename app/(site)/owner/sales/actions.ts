'use server';

import { redirect } from 'next/navigation';
import { faultsBeside } from '#lib/sales/projects/check-project.ts';
import {
  createOwnProjectContract,
  deleteOwnDraftContract,
  patchOwnProjectContract,
} from '#lib/sales/projects/contracts.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { deleteDraft } from '#lib/sales/projects/delete-draft.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { actAt, type Outcome, textOf } from '../../operator/act.ts';
import { draftOf, patchOf, textsPatchOf } from '../../operator/projects/form/body-of.ts';
import { OWNERS } from '../act.ts';

/** Creates a draft of what the form holds and opens it. */
export async function create(_: Outcome, form: FormData): Promise<Outcome> {
  let id = '';
  const outcome = await actAt(
    OWNERS,
    createOwnProjectContract,
    { body: draftOf(form) },
    async (ctx, { body: { slug: _slug, ...input } }) => {
      id = (await createProject(ctx, input)).id;
    },
    'The draft is created.',
    faultsBeside,
  );
  if (outcome.status === 'done') redirect(`/owner/sales/${id}`);
  return outcome;
}

/** Changes what the form holds and shows the sale. What is fixed by then is refused by the verb. */
async function change(id: string, given: Record<string, unknown>): Promise<Outcome> {
  const outcome = await actAt(
    OWNERS,
    patchOwnProjectContract,
    { params: { id }, body: given },
    (ctx, { params, body: { reason = 'changed by a member', slug: _, deposit_address: __, ...patch } }) =>
      patchProject(ctx, { id: params.id, patch, reason }),
    'The sale is changed.',
    faultsBeside,
  );
  if (outcome.status === 'done') redirect(`/owner/sales/${id}`);
  return outcome;
}

export async function changeDraft(_: Outcome, form: FormData): Promise<Outcome> {
  return change(textOf(form, 'id'), patchOf(form));
}

export async function changeTexts(_: Outcome, form: FormData): Promise<Outcome> {
  return change(textOf(form, 'id'), textsPatchOf(form));
}

/** Deletes a draft and shows the sales that are left. */
export async function remove(_: Outcome, form: FormData): Promise<Outcome> {
  const outcome = await actAt(
    OWNERS,
    deleteOwnDraftContract,
    { params: { id: textOf(form, 'id') }, query: { reason: textOf(form, 'reason') } },
    (ctx, { params, query }) => deleteDraft(ctx, { id: params.id, reason: query.reason }),
    'The draft is deleted.',
  );
  if (outcome.status === 'done') redirect('/owner');
  return outcome;
}
