import { and, eq } from 'drizzle-orm';
import { depositAccounts, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Ctx } from '#lib/ctx.ts';
import { canSignFor } from '#lib/ledger/keys.ts';
import { REFUND_SOURCE_TAG } from '#lib/ledger/tags.ts';
import type { Tx } from '#lib/platform/db.ts';
import { env } from '#lib/platform/env.ts';
import { type FieldError, PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';
import { MAX_DROPS, parseUnits, type TokenUnits } from '#lib/platform/money.ts';
import { fullRaiseDrops } from './allocate.ts';
import { projectResourceOf } from './project-resource.ts';
import type { ProjectInput, ProjectResource } from './schemas.ts';

/** An issued-currency amount holds 15 significant digits (design section 3, ledger fact 22). */
const MAX_SUPPLY_UNITS: TokenUnits = 10n ** 15n;

interface CheckedTier {
  tier: number;
  price: bigint;
  totalUnits: TokenUnits;
}

/** Checks what one field alone cannot show; every fault names its field. Reads the input and the settings only. */
export function checkProjectInput(input: ProjectInput, nowMs: number): { tiers: CheckedTier[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const fault = (field: string, message: string) => void errors.push({ field: `body.${field}`, message });
  const { decimals } = input.token;
  const checked = input.tiers.map((tier, place): CheckedTier => {
    const totalUnits = parseUnits(tier.total_tokens, decimals);
    if (totalUnits === null || totalUnits === 0n) {
      fault(`tiers.${place}.total_tokens`, `must be a positive decimal with at most ${decimals} fractional digits`);
    }
    if (tier.tier !== undefined && tier.tier !== place + 1) {
      fault(`tiers.${place}.tier`, `must be ${place + 1}: tiers count from 1 in order`);
    }
    return { tier: place + 1, price: tier.price_per_token, totalUnits: totalUnits ?? 0n };
  });
  const supplyUnits = checked.reduce((sum, tier) => sum + tier.totalUnits, 0n);
  if (supplyUnits > MAX_SUPPLY_UNITS) {
    fault(
      'tiers',
      `sell more than 10^${15 - decimals} tokens in all, which a token with ${decimals} decimals cannot hold exactly`,
    );
  } else if (fullRaiseDrops(checked, decimals) > MAX_DROPS) {
    fault('tiers', 'cost more than all XRP there is (100 billion)');
  }
  const startsAtMs = input.starts_at?.getTime() ?? null;
  const endsAtMs = input.ends_at?.getTime() ?? null;
  if (endsAtMs !== null && endsAtMs <= nowMs) fault('ends_at', 'must be in the future');
  if (startsAtMs !== null && endsAtMs !== null && endsAtMs <= startsAtMs) fault('ends_at', 'must be after starts_at');
  if (input.treasury === input.deposit_address) fault('treasury', 'must not be the deposit address');
  const minimum = input.min_investment_xrp ?? null;
  if (minimum === 0n) fault('min_investment_xrp', 'must be more than 0: leave it out for none');
  if (minimum !== null && minimum > fullRaiseDrops(checked, decimals)) {
    fault('min_investment_xrp', 'is more than the whole sale costs');
  }
  if (!canSignFor(input.deposit_address)) {
    fault('deposit_address', 'has no signing key configured (SIGNING_KEYS): its refunds could never be sent');
  }
  if (input.deposit_address === input.distributor) fault('deposit_address', 'must not be the distributor');
  if (input.deposit_address === input.token.issuer) fault('deposit_address', 'must not be the issuer of the token');
  return { tiers: checked, errors };
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48) || 'sale';

/** A 32-bit tag, never 0, never the one by which bounced refunds are known. */
function randomTag(ctx: Ctx): number {
  const tag = Buffer.from(ctx.random(4)).readUInt32BE();
  return tag === 0 || tag === REFUND_SOURCE_TAG ? randomTag(ctx) : tag;
}

/**
 * Creates a draft and registers its deposit account: the feed begins after the ledger that is validated now.
 * Throws `invalid_request` with every faulty field, `conflict` for a slug in use.
 */
export async function createProject(ctx: Ctx, input: ProjectInput): Promise<ProjectResource> {
  const { tiers: checkedTiers, errors } = checkProjectInput(input, ctx.clock.nowMs());
  if (errors.length === 0) errors.push(...(await checkAccounts(ctx, input)));
  const first = errors[0];
  if (first !== undefined) throw new PlatformError('invalid_request', `${first.field}: ${first.message}`, { errors });

  const server = await ctx.ledger.serverState();
  const id = newId('proj', ctx.random);
  return ctx.db.transaction(async (tx) => {
    await tx
      .insert(depositAccounts)
      .values({
        address: input.deposit_address,
        networkId: server.networkId,
        registeredLedger: server.validatedIndex,
        cursorLedger: server.validatedIndex,
        cursorHash: server.validatedHash,
        confirmedLedger: server.validatedIndex,
        refundMinDrops: BigInt(env().REFUND_MIN_DROPS),
      })
      .onConflictDoNothing();
    // Nothing can be recognised meanwhile: a tag that a payment carries already must not become a project's.
    await tx
      .select({ address: depositAccounts.address })
      .from(depositAccounts)
      .where(eq(depositAccounts.address, input.deposit_address))
      .for('no key update');
    if (input.slug !== undefined) {
      const [taken] = await tx.select({ id: projects.id }).from(projects).where(eq(projects.slug, input.slug));
      if (taken !== undefined) throw slugTaken();
    }
    const values = {
      id,
      name: input.name,
      slug: input.slug ?? `${slugOf(input.name)}-${id.slice(-6).toLowerCase()}`,
      description: input.description,
      website: input.website ?? null,
      logo: input.logo ?? null,
      tokenKind: input.token.kind,
      currency: input.token.currency,
      issuer: input.token.issuer,
      decimals: input.token.decimals,
      distributor: input.distributor,
      depositAddress: input.deposit_address,
      startsAt: input.starts_at ?? null,
      endsAt: input.ends_at ?? null,
      minInvestmentDrops: input.min_investment_xrp ?? null,
      access: input.access,
      distribution: input.distribution,
      vesting: input.vesting ?? { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
      treasury: input.treasury ?? null,
      claimDays: input.claim_days,
      refundMinDrops: BigInt(env().REFUND_MIN_DROPS),
    };
    for (let tries = 0; ; tries++) {
      // A tag collides about once in four billion; a second draw settles it.
      const destinationTag = randomTag(ctx);
      const [row] = (await isTagPaidTo(tx, input.deposit_address, destinationTag))
        ? []
        : await tx
            .insert(projects)
            .values({ ...values, destinationTag })
            .onConflictDoNothing()
            .returning();
      if (row === undefined) {
        if (tries < 3) continue;
        if (input.slug !== undefined) throw slugTaken();
        throw new PlatformError('conflict', 'No free destination tag could be drawn. Try again.');
      }
      const tierRows = await tx
        .insert(tiers)
        .values(checkedTiers.map((tier) => ({ projectId: id, ...tier })))
        .returning();
      await appendAudit(tx, ctx, {
        action: 'project.create',
        subject: id,
        reason: 'created',
        after: { name: row.name, deposit_address: row.depositAddress, destination_tag: row.destinationTag },
      });
      return projectResourceOf(row, tierRows, 0, null);
    }
  });
}

/** True when some payment to the account carries the tag already: it was judged, or will be, as nobody's. */
async function isTagPaidTo(tx: Tx, account: string, destinationTag: number): Promise<boolean> {
  const [paid] = await tx
    .select({ txHash: payments.txHash })
    .from(payments)
    .where(and(eq(payments.account, account), eq(payments.destinationTag, destinationTag)))
    .limit(1);
  return paid !== undefined;
}

const slugTaken = (): PlatformError =>
  new PlatformError('conflict', 'This slug is in use. Choose another.', {
    errors: [{ field: 'body.slug', message: 'is in use' }],
  });

/** Every account that the sale depends on must stand on the ledger. */
async function checkAccounts(ctx: Ctx, input: ProjectInput): Promise<FieldError[]> {
  const named = [
    ['body.deposit_address', input.deposit_address],
    ['body.distributor', input.distributor],
    ['body.token.issuer', input.token.issuer],
    ['body.treasury', input.treasury ?? null],
  ] as const;
  const checks = await Promise.all(
    named.map(async ([field, address]): Promise<FieldError[]> => {
      if (address === null || (await ctx.ledger.account(address)) !== null) return [];
      return [{ field, message: 'does not exist on the ledger: fund it first' }];
    }),
  );
  return checks.flat();
}
