import type { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { projectTokenContract } from '../contracts.ts';
import { iouPowers, mptPowers } from './issuer-powers.ts';
import { inputOf, issuerOf } from './project-columns.ts';
import type { TokenInput } from './project-input.ts';
import { findProject } from './project-resource.ts';
import { shortMemory } from './short-memory.ts';

export type ProjectToken = z.output<(typeof projectTokenContract)['responses'][200]>;

const MAX_AGE_MS = 30_000;
const remembered = shortMemory<ProjectToken['token']>(MAX_AGE_MS);

/**
 * What the issuer of a project's token can still do, as the ledger showed it at most half a minute ago. Throws
 * `project_not_found`, `not_found` when the issuer or issuance is gone, `ledger_unavailable`.
 */
export async function getProjectToken(ctx: Ctx, id: string): Promise<ProjectToken> {
  const row = await findProject(ctx.db, id);
  const { token } = inputOf(row, []);
  const answer = await remembered(JSON.stringify(token), ctx.clock.nowMs(), () => readToken(ctx, token));
  return { project_id: id, token: answer };
}

async function readToken({ ledger }: Ctx, token: TokenInput): Promise<ProjectToken['token']> {
  const issuer = issuerOf(token);
  const state = await ledger.account(issuer);
  if (state === null) throw new PlatformError('not_found', 'The issuer of the token is not on the ledger.');
  if (token.kind === 'iou') {
    return { kind: 'iou', currency: token.currency, issuer, ...iouPowers(state) };
  }
  const issuance = await ledger.mptIssuance(token.issuance_id);
  if (issuance === null) throw new PlatformError('not_found', 'The issuance of the token is not on the ledger.');
  return { kind: 'mpt', issuance_id: token.issuance_id, issuer, ...mptPowers(state, issuance, token.decimals) };
}
