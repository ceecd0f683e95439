import type { Ctx } from '#lib/ctx.ts';
import { canSignFor, keyEntryFault } from '#lib/xrpl/keys.ts';
import { readTokenFacts } from '#lib/xrpl/token-facts.ts';
import { type SetupFacts, type SetupStep, setupSteps, type TokenPlan } from './steps.ts';

/** How far a token is set up, and what its issuer's account says of itself. */
export interface TokenSetup {
  steps: SetupStep[];
  issuer: SetupFacts['issuer'];
  ledgerIndex: number;
}

/** As the newest validated ledger shows it. Throws `ledger_unavailable`. */
export async function readTokenSetup(ctx: Ctx, plan: TokenPlan): Promise<TokenSetup> {
  const { ledger } = ctx;
  const [server, issuer, distributor, token, keyFault] = await Promise.all([
    ledger.serverState(),
    ledger.account(plan.issuer),
    ledger.account(plan.distributor),
    plan.kind === 'iou'
      ? readTokenFacts(ledger, plan.distributor, { kind: 'iou', currency: plan.currency, issuer: plan.issuer })
      : plan.issuanceId === null
        ? null
        : readTokenFacts(ledger, plan.distributor, { kind: 'mpt', issuanceId: plan.issuanceId }),
    readKeyFault(plan.distributor),
  ]);
  const steps = setupSteps(plan, { server, issuer, distributor, token, keyFault });
  return { steps, issuer, ledgerIndex: server.validatedIndex };
}

async function readKeyFault(address: string): Promise<string | null> {
  if (!canSignFor(address)) return 'SIGNING_KEYS holds no key for this account: add it and deploy.';
  const fault = await keyEntryFault(address);
  return fault === null ? null : `An entry of SIGNING_KEYS for this account is invalid (${fault}).`;
}
