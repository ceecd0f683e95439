'use server';

import { createListFromPlatformIdsContract } from '#lib/accounts/platform-ids/contracts.ts';
import { commitListContract, createListContract } from '#lib/sales/lists/contracts.ts';
import { OPERATORS, type Outcome } from '../../act.ts';
import * as forms from './list-forms.ts';

export async function upload(_: Outcome, form: FormData): Promise<Outcome> {
  return forms.upload({ desk: OPERATORS, contract: createListContract }, form);
}

export async function fromPlatformIds(_: Outcome, form: FormData): Promise<Outcome> {
  return forms.fromPlatformIds({ desk: OPERATORS, contract: createListFromPlatformIdsContract }, form);
}

export async function commit(_: Outcome, form: FormData): Promise<Outcome> {
  return forms.commit({ desk: OPERATORS, contract: commitListContract }, form);
}
