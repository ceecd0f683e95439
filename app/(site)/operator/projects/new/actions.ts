'use server';

import { redirect } from 'next/navigation';
import { faultsBeside } from '#lib/sales/projects/check-project.ts';
import { createProjectContract } from '#lib/sales/projects/contracts.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { act, type Outcome } from '../../act.ts';
import { draftOf } from '../form/body-of.ts';

/** Creates a draft of what the form holds and opens it. */
export async function create(_: Outcome, form: FormData): Promise<Outcome> {
  let id = '';
  const outcome = await act(
    createProjectContract,
    { body: draftOf(form) },
    async (ctx, { body }) => {
      id = (await createProject(ctx, body)).id;
    },
    'The draft is created.',
    faultsBeside,
  );
  if (outcome.status === 'done') redirect(`/operator/projects/${id}`);
  return outcome;
}
