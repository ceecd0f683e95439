import type { Buyer } from '@tranche/rules/allocate.ts';
import { buyerOf, reduceAll } from '@tranche/rules/reduce.ts';
import type { Effect, ProjectState, SalePayment } from '@tranche/rules/types.ts';
import type { z } from 'zod';
import { type Drops, formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { quoteContract } from '../contracts.ts';
import { loadSenderState } from '../feed/load-sender-state.ts';
import { loadAccount, loadPending } from '../feed/load-state.ts';
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
  buyer: Buyer;
}

/**
 * What an amount would buy if it arrived now, with every payment counted that has been seen: by the reducer itself, so a
 * quote cannot differ from what a payment in that place becomes. Without a wallet it presumes one that is admitted and
 * has not invested. Throws `project_not_found`.
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
      const { account, state } = await loadAccount(tx, row.depositAddress, row.id);
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
      return { account, payment: asked, before: reduceAll(parties, entries).state };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  const given = before.projects.get(row.destinationTag);
  if (given === undefined) throw projectNotFound();
  const project = input.wallet_address === undefined ? admitPresumed(given) : given;
  const buyer = buyerOf(project, project.wallets, wallet, payment.closedAtMs);
  const { effects } = reduceAll({ ...before, projects: new Map([[project.destinationTag, project]]) }, [payment]);
  const effect = effects.find(({ type }) => type === 'invested' || type === 'refused' || type === 'held');
  if (effect === undefined) throw new Error('A payment is invested, refused or held');
  return quoteResource(
    { project, effect, buyer, admission: admissionOf(project, buyer, input.wallet_address) },
    { wallet: input.wallet_address ?? null, amountDrops: input.amount_xrp, account },
  );
}

const admitPresumed = (project: ProjectState): ProjectState => ({
  ...project,
  listHash: PRESUMED_LIST,
  lists: new Map([[PRESUMED_LIST, new Map([[PRESUMED_WALLET, null]])]]),
});

function admissionOf(
  project: ProjectState,
  { admitted }: Buyer,
  wallet: string | undefined,
): QuoteResource['admission'] {
  if (!project.tiers.some((tier) => tier.listed)) return 'not_required';
  if (wallet === undefined) return 'assumed';
  return admitted ? 'admitted' : 'not_admitted';
}

/** What is left of a limit: kept change may have carried the wallet past it by less than a refund. */
const remainingXrp = (drops: Drops | null): string | null =>
  drops === null ? null : formatDrops(drops < 0n ? 0n : drops);

/** The quote as the API shows it. Pure. */
function quoteResource(
  { project, effect, buyer, admission }: Buying,
  asked: { wallet: string | null; amountDrops: Drops; account: { cursorLedger: number; halted: boolean } },
): QuoteResource {
  const about = {
    project_id: project.id,
    wallet_address: asked.wallet,
    amount_xrp: formatDrops(asked.amountDrops),
    ledger_index: asked.account.cursorLedger,
    halted: asked.account.halted,
    admission,
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
