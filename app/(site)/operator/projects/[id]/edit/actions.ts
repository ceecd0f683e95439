'use server';

import { redirect } from 'next/navigation';
import { faultsBeside } from '#lib/sales/projects/check-project.ts';
import { patchProjectContract } from '#lib/sales/projects/contracts.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { act, type Outcome, textOf } from '../../../act.ts';
import { patchOf, textsPatchOf } from '../../form/body-of.ts';

/** Changes what the form holds and shows the project. What is fixed by then is refused by the verb. */
async function change(id: string, body: Record<string, unknown>): Promise<Outcome> {
  const outcome = await act(
    patchProjectContract,
    { params: { id }, body },
    (ctx, { params, body: { reason, ...patch } }) => patchProject(ctx, { id: params.id, patch, reason }),
    'The project is changed.',
    faultsBeside,
  );
  if (outcome.status === 'done') redirect(`/operator/projects/${id}`);
  return outcome;
}

export async function changeDraft(_: Outcome, form: FormData): Promise<Outcome> {
  return change(textOf(form, 'id'), patchOf(form));
}

export async function changeTexts(_: Outcome, form: FormData): Promise<Outcome> {
  return change(textOf(form, 'id'), textsPatchOf(form));
}
