import type { Buyer } from '@tranche/rules/allocate.ts';
import {
  CREDENTIAL_STATUSES,
  type CredentialQuestion,
  type CredentialsRead,
  CredentialUnknown,
  credentialKey,
  credentialStatus,
  credentialTypeText,
  questionsOf,
} from '@tranche/rules/credentials.ts';
import { buyerOf, reduceAll } from '@tranche/rules/reduce.ts';
import type { Effect, ProjectState, SaleEntry, SalePayment, SaleState } from '@tranche/rules/types.ts';
import type { z } from 'zod';
import { type Drops, formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import type { quoteContract } from '../contracts.ts';
import { loadSenderState } from '../feed/load-sender-state.ts';
import { loadAccount, loadPending } from '../feed/load-state.ts';
import { credentialsOf } from '../feed/read-credentials.ts';
import { findProject, projectNotFound } from '../projects/project-resource.ts';

export type QuoteResource = z.output<(typeof quoteContract)['responses'][200]>;

/** No account has it: the wallet of a quote that names none. */
const PRESUMED_WALLET = '';
/** No list has it. */
const PRESUMED_LIST = 'presumed';

interface Buying {
  /** The project before the payment, every payment counted that has been seen. */
  project: ProjectState;
  /** What the payment becomes. */
  effect: Effect;
  admission: QuoteResource['admission'];
  credentials: QuoteResource['credentials'];
  buyer: Buyer;
}

/**
 * What an amount would buy if it arrived now, with every payment counted that has been seen: by the reducer itself, so a
 * quote cannot differ from what a payment in that place becomes. Without a wallet it presumes one that is admitted and
 * has not invested; a credential also while the sale sells nothing. Throws `project_not_found`, and `ledger_unavailable` when
 * no server tells the wallet's credentials.
 */
export async function quoteAmount(
  ctx: Ctx,
  input: { id: string; amount_xrp: Drops; wallet_address?: string | undefined },
): Promise<QuoteResource> {
  const row = await findProject(ctx.db, input.id);
  const wallet = input.wallet_address ?? PRESUMED_WALLET;
  // One snapshot: what is confirmed and what is pending must be of the same moment.
  const { account, payment, before } = await ctx.db.transaction(
    async (tx) => {
      const { account, state } = await loadAccount(tx, row.depositAddress, { alsoId: row.id });
      const { entries } = await loadPending(tx, account.address, account.cursorLedger);
      const asked: SalePayment = {
        kind: 'payment',
        hash: 'quote',
        ledgerIndex: account.cursorLedger + 1,
        transactionIndex: 0,
        closedAtMs: ctx.clock.nowMs(),
        sender: wallet,
        destinationTag: row.destinationTag,
        receivedDrops: input.amount_xrp,
      };
      const parties = await loadSenderState(tx, state, [...entries, asked]);
      return { account, payment: asked, before: reducePending(parties, entries) };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  const given = before.projects.get(row.destinationTag);
  if (given === undefined) throw projectNotFound();
  const project = input.wallet_address === undefined ? admitPresumed(given) : given;
  const asked = { ledgerIndex: account.cursorLedger, subject: wallet };
  const isAsked = input.wallet_address !== undefined && project.status === 'active' && !account.halted;
  const credentials = await readWalletCredentials(ctx, project, { ...asked, isAsked });
  const state = { ...before, credentials, projects: new Map([[project.destinationTag, project]]) };
  const buyer = buyerOf(project, project.wallets, wallet, { ...payment, atMs: payment.closedAtMs, credentials });
  const { effects } = reduceAll(state, [payment]);
  const effect = effects.find(({ type }) => type === 'invested' || type === 'refused' || type === 'held');
  if (effect === undefined) throw new Error('A payment is invested, refused or held');
  return quoteResource(
    {
      project,
      effect,
      buyer,
      admission: admissionOf(project, buyer, { wallet: input.wallet_address, isAsked }),
      credentials: isAsked ? walletCredentials(project, credentials, asked, payment) : [],
    },
    { wallet: input.wallet_address ?? null, amountDrops: input.amount_xrp, account },
  );
}

/** What is pending was recorded with the credentials that it depends on: without them nothing is quoted. */
function reducePending(state: SaleState, entries: readonly SaleEntry[]): SaleState {
  try {
    return reduceAll(state, entries).state;
  } catch (error) {
    if (!(error instanceof CredentialUnknown)) throw error;
    throw ledgerUnavailable(
      'Payments before yours wait for the ledger to tell their credentials. Try again soon.',
      error,
    );
  }
}

type Holder = Pick<CredentialQuestion, 'ledgerIndex' | 'subject'>;

const unsoldRequirements = ({ tiers }: ProjectState) =>
  tiers.flatMap(({ tier, credential, completedAtMs }) =>
    credential === null || completedAtMs !== null ? [] : [{ tier, credential }],
  );

/**
 * Every credential that a tier which is not sold out requires, of the wallet, in the last ledger that was read; presumed where
 * no wallet is named, or nothing is sold now: then the ledger is not asked.
 */
async function readWalletCredentials(
  ctx: Ctx,
  project: ProjectState,
  { isAsked, ...holder }: Holder & { isAsked: boolean },
): Promise<CredentialsRead> {
  const questions = new Map(
    unsoldRequirements(project)
      .flatMap(({ credential }) => questionsOf(credential, holder))
      .map((question) => [credentialKey(question), question]),
  );
  if (questions.size === 0) return new Map();
  if (!isAsked) {
    return new Map([...questions.keys()].map((key) => [key, { accepted: true, expiresAtMs: null }]));
  }
  return credentialsOf(ctx, [...questions.values()]);
}

/** What the wallet has of the credentials that tiers require: of several issuers, what is nearest to a valid one. */
const walletCredentials = (
  project: ProjectState,
  credentials: CredentialsRead,
  holder: Holder,
  { closedAtMs }: SalePayment,
): QuoteResource['credentials'] =>
  unsoldRequirements(project).map(({ tier, credential }) => {
    const found = questionsOf(credential, holder).map((question) => {
      const entry = credentials.get(credentialKey(question)) ?? null;
      return { issuer: question.issuer, entry, status: credentialStatus(entry, closedAtMs) };
    });
    const nearest = CREDENTIAL_STATUSES.toReversed()
      .flatMap((status) => found.filter((each) => each.status === status))
      .at(-1);
    const { entry = null, issuer = '', status = 'none' } = nearest ?? {};
    return {
      tier,
      type: credentialTypeText(credential.credential_type),
      ...credential,
      status,
      issuer: entry === null ? null : issuer,
      expires_at: entry?.expiresAtMs == null ? null : new Date(entry.expiresAtMs).toISOString(),
    };
  });

const admitPresumed = (project: ProjectState): ProjectState => ({
  ...project,
  listHash: PRESUMED_LIST,
  lists: new Map([[PRESUMED_LIST, new Map([[PRESUMED_WALLET, null]])]]),
});

function admissionOf(
  project: ProjectState,
  { admitted, holds }: Buyer,
  { wallet, isAsked }: { wallet: string | undefined; isAsked: boolean },
): QuoteResource['admission'] {
  const requirements = unsoldRequirements(project);
  const isListed = project.tiers.some((tier) => tier.listed);
  if (!isListed && requirements.length === 0) return 'not_required';
  if (wallet === undefined) return 'assumed';
  if (isListed && !admitted) return 'not_admitted';
  if (requirements.length > 0 && !isAsked) return 'assumed';
  return requirements.every(({ credential }) => holds(credential)) ? 'admitted' : 'not_admitted';
}

/** What is left of a limit: kept change may have carried the wallet past it by less than a refund. */
const remainingXrp = (drops: Drops | null): string | null =>
  drops === null ? null : formatDrops(drops < 0n ? 0n : drops);

/** The quote as the API shows it. Pure. */
function quoteResource(
  { project, effect, buyer, admission, credentials }: Buying,
  asked: { wallet: string | null; amountDrops: Drops; account: { cursorLedger: number; halted: boolean } },
): QuoteResource {
  const about = {
    project_id: project.id,
    wallet_address: asked.wallet,
    amount_xrp: formatDrops(asked.amountDrops),
    ledger_index: asked.account.cursorLedger,
    halted: asked.account.halted,
    admission,
    credentials,
    limits: { remaining_xrp: remainingXrp(buyer.leftDrops), remaining_listed_xrp: remainingXrp(buyer.leftListedDrops) },
  };
  if (effect.type !== 'invested') {
    const refused = effect.type === 'refused' ? effect : null;
    // The platform's own money, under custody before the launch.
    const heldDrops = effect.type === 'held' ? asked.amountDrops : (refused?.heldDrops ?? 0n);
    return {
      ...about,
      accepted: false,
      reason: refused?.reason ?? null,
      allocation: [],
      total_tokens: formatUnits(0n, project.decimals),
      invested_xrp: formatDrops(0n),
      rounding_xrp: formatDrops(0n),
      refunded_xrp: formatDrops(refused?.refundedDrops ?? 0n),
      held_xrp: formatDrops(heldDrops),
    };
  }
  const priceOf = new Map(project.tiers.map((tier) => [tier.tier, tier.price]));
  return {
    ...about,
    accepted: true,
    reason: effect.refundReason,
    allocation: effect.parts.map((part) => ({
      tier: part.tier,
      price_per_token: formatPrice(priceOf.get(part.tier) ?? 0n),
      amount_xrp: formatDrops(part.drops),
      tokens: formatUnits(part.units, project.decimals),
    })),
    total_tokens: formatUnits(effect.totalUnits, project.decimals),
    invested_xrp: formatDrops(effect.investedDrops),
    rounding_xrp: formatDrops(effect.roundingDrops),
    refunded_xrp: formatDrops(effect.refundedDrops),
    held_xrp: formatDrops(0n),
  };
}
