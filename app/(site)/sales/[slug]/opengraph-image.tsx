import { databaseCtx } from '../../_data/database-ctx.ts';
import { fullRaiseXrp } from '../../_data/full-raise.ts';
import { orNotFound } from '../../_data/or-not-found.ts';
import { saleStateOf } from '../../_data/sale-state.ts';
import { readSale } from '../../_data/shared-read.ts';
import { CARD_SIZE, saleCard } from '../../_social/card.tsx';
import { wrappedText } from '../../_social/wrapped-text.ts';
import { formatAmount, formatReadable } from '../../_ui/format.ts';

export const alt = 'A token sale on the XRP Ledger, with what it has raised';
export const size = CARD_SIZE;
export const contentType = 'image/png';

const NAME_LENGTH = 70;

export default async function Image({ params }: { params: Promise<{ slug: string }> }) {
  const ctx = await databaseCtx();
  const project = await orNotFound(readSale(ctx, (await params).slug));
  const state = saleStateOf(project, ctx.clock.nowMs());
  const { tiers_completed, total_tiers, total_raised_xrp, progress_percentage } = project.progress;
  const price = state.tier === null ? '' : `, ${formatAmount(state.tier.price_per_token)} XRP a token`;
  const tiers =
    state.tier === null
      ? `${tiers_completed} of ${total_tiers} tiers full`
      : `tier ${state.tier.tier} of ${total_tiers}`;
  return saleCard(
    {
      title: wrappedText(project.name, NAME_LENGTH) || 'A token sale',
      line: `${state.label}, ${tiers}${price}`,
      percent: progress_percentage,
      raised: `${formatReadable(total_raised_xrp)} of ${formatReadable(fullRaiseXrp(project))} XRP raised`,
    },
    { isDraft: project.status === 'draft' },
  );
}
