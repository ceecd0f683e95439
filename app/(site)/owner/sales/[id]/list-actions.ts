'use server';

import { createOwnListFromPlatformIdsContract } from '#lib/accounts/platform-ids/contracts.ts';
import { commitOwnListContract, createOwnListContract } from '#lib/sales/lists/contracts.ts';
import type { Outcome } from '../../../operator/act.ts';
import * as forms from '../../../operator/projects/[id]/list-forms.ts';
import { OWNERS } from '../../act.ts';

export async function upload(_: Outcome, form: FormData): Promise<Outcome> {
  return forms.upload({ desk: OWNERS, contract: createOwnListContract }, form);
}

export async function fromPlatformIds(_: Outcome, form: FormData): Promise<Outcome> {
  return forms.fromPlatformIds({ desk: OWNERS, contract: createOwnListFromPlatformIdsContract }, form);
}

export async function commit(_: Outcome, form: FormData): Promise<Outcome> {
  return forms.commit({ desk: OWNERS, contract: commitOwnListContract }, form);
}
