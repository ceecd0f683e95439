import { classicAddressToXAddress } from 'ripple-address-codec';
import { projects } from '#drizzle/schema/sale.ts';
import { env } from '#lib/base/env.ts';
import { MAX_DROPS, parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { figuresIn } from '../safety/figures.ts';
import { tellsToPay } from '../safety/tells-to-pay.ts';

/**
 * The one gate for money. Where to pay is told by `payTargetOf` alone, and `closedSaleIn` holds back every text that names a
 * deposit address or tag, or tells somebody to pay, of a sale that the gate is closed for.
 */

/** A wallet of nobody: it is on no allowlist and has bought nothing. */
const STRANGER = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
/** A payment this large reaches every minimum and any price, so it is refused only where each payment is. */
const ANY_AMOUNT = MAX_DROPS;

export interface PayTarget {
  deposit_address: string;
  destination_tag: number;
  /** Both in one, for wallets that take X-addresses. */
  x_address: string;
}

/** Why the gate is closed: the reducer's reason, or what keeps payments from being decided. */
export interface Closed {
  target: null;
  reason: string;
}

type PaidSale = Pick<typeof projects.$inferSelect, 'id' | 'name' | 'status' | 'depositAddress' | 'destinationTag'>;
const COLUMNS = {
  id: projects.id,
  name: projects.name,
  status: projects.status,
  depositAddress: projects.depositAddress,
  destinationTag: projects.destinationTag,
};

/**
 * Address and tag of a sale, only while the reducer says that a payment of this wallet would buy something now; of a visitor
 * without a known wallet it takes a stranger's. Throws `project_not_found`.
 */
export async function payTargetOf(
  ctx: Ctx,
  sale: { id: string; deposit_address: string; destination_tag: number },
  wallet?: string,
): Promise<{ target: PayTarget; reason: null } | Closed> {
  const quote = await quoteAmount(ctx, { id: sale.id, amount_xrp: ANY_AMOUNT, wallet_address: wallet ?? STRANGER });
  if (quote.halted) return { target: null, reason: 'halted' };
  if (!quote.accepted || parseDecimal(quote.total_tokens, XRP_DECIMALS) === 0n)
    return { target: null, reason: quote.reason ?? 'not_active' };
  const { deposit_address, destination_tag } = sale;
  const x_address = classicAddressToXAddress(deposit_address, destination_tag, env().XRPL_NETWORK_ID !== 0);
  return { target: { deposit_address, destination_tag, x_address }, reason: null };
}

const isOpen = async (ctx: Ctx, sale: PaidSale, wallet: string | undefined): Promise<boolean> =>
  sale.status === 'active' &&
  (
    await payTargetOf(
      ctx,
      { id: sale.id, deposit_address: sale.depositAddress, destination_tag: sale.destinationTag },
      wallet,
    )
  ).target !== null;

/** The first of some sales that takes no payment now; null when all do. */
async function firstClosed(ctx: Ctx, sales: readonly PaidSale[], wallet: string | undefined): Promise<PaidSale | null> {
  for (const sale of sales) if (!(await isOpen(ctx, sale, wallet))) return sale;
  return null;
}

async function anyOpen(ctx: Ctx, sales: readonly PaidSale[], wallet: string | undefined): Promise<boolean> {
  for (const sale of sales) if (await isOpen(ctx, sale, wallet)) return true;
  return false;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Tags this short are numbers like others, unless the text speaks of a tag. */
const LONG_TAG = 5;
const TAG_WORD = /\btags?\b|\bdt=|\bmemo\b|etiqueta|étiquette|zieltag|タグ/i;
const MAY_BE_ADDRESS = /[rXT][1-9A-HJ-NP-Za-km-z]{24}/;

interface Scope {
  projectId?: string | undefined;
  wallet?: string | undefined;
}

/** What of a text somebody could pay by. */
function meansIn(text: string) {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '');
  // Spaces and marks between its letters part an address for a check, and not for who copies it.
  const letters = plain.replace(/[^0-9A-Za-z]/g, '').toLowerCase();
  const figures = new Set(figuresIn(plain).flatMap(({ forms }) => forms));
  const speaksOfTag = TAG_WORD.test(plain);
  for (const digits of plain.match(/\d(?:[\s.,'’_*-]?\d)*/g) ?? []) figures.add(digits.replace(/\D/g, ''));
  const holdsTag = (tag: number): boolean =>
    (speaksOfTag || String(tag).length >= LONG_TAG) && figures.has(String(tag));
  return { plain, letters, figures, speaksOfTag, holdsTag, isInstruction: tellsToPay(plain) };
}

function namesAddress(letters: string, { depositAddress, destinationTag }: PaidSale): boolean {
  const forms = [false, true].flatMap((isTest) => [
    classicAddressToXAddress(depositAddress, destinationTag, isTest),
    classicAddressToXAddress(depositAddress, false, isTest),
  ]);
  return [depositAddress, ...forms].some((form) => letters.includes(form.toLowerCase()));
}

/**
 * The sale that a text would send somebody's money to although a payment would buy nothing there now, or that nobody can be
 * told to pay into; null for a text that may be shown. A call to pay that names no sale is taken for that of the scope, and
 * without one it needs any sale that is open.
 */
export async function closedSaleIn(
  ctx: Ctx,
  text: string,
  { projectId, wallet }: Scope,
): Promise<{ name: string } | null> {
  const means = meansIn(text);
  const mayNameTag = [...means.figures].some((figure) => means.speaksOfTag || figure.length >= LONG_TAG);
  if (!means.isInstruction && !mayNameTag && !MAY_BE_ADDRESS.test(text.replace(/[^0-9A-Za-z]/g, ''))) return null;
  const all = await ctx.db.select(COLUMNS).from(projects);
  const byTag = all.filter(({ destinationTag }) => means.holdsTag(destinationTag));
  const closedTag = await firstClosed(ctx, byTag, wallet);
  if (closedTag !== null) return closedTag;
  const byAddress = all.filter((sale) => namesAddress(means.letters, sale));
  // Several sales may share an address: it may be told while one of them sells.
  const addresses = Map.groupBy(byAddress, ({ depositAddress }) => depositAddress);
  for (const sales of addresses.values()) if (!(await anyOpen(ctx, sales, wallet))) return sales[0] ?? null;
  if (!means.isInstruction) return null;
  const lower = means.plain.toLowerCase();
  const named = all.filter(({ name }) => lower.includes(name.toLowerCase()));
  const meant = named.length > 0 ? named : all.filter(({ id }) => id === projectId);
  if (meant.length > 0) return firstClosed(ctx, meant, wallet);
  return (await anyOpen(ctx, all, wallet)) ? null : { name: '' };
}
