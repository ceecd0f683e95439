import type { Draw } from '#tests/faults/draw.ts';
import { CURRENCY } from '#tests/faults/payouts/acts.ts';
import type { Environment, Investor } from './ground.ts';
import type { Sale } from './sales.ts';

/** What a payment is like. Most are as they should be. */
const KINDS = [
  ...(['right', 'right', 'right', 'right', 'right', 'right', 'large', 'odd drops'] as const),
  ...(['wrong tag', 'no tag', 'too little', 'dust', 'too much', 'issued tokens'] as const),
] as const;
export type PaymentKind = (typeof KINDS)[number];

const XRP = 1_000_000;

function drawDrops(kind: PaymentKind, draw: Draw): number {
  switch (kind) {
    case 'large':
      return draw.between(60, 200) * XRP;
    case 'too much':
      return draw.between(1_000, 2_500) * XRP;
    case 'odd drops':
      return draw.between(1, 40 * XRP);
    case 'too little':
      return draw.between(1_000, XRP);
    case 'dust':
      return draw.between(1, 900);
    default:
      return draw.between(1, 40) * XRP;
  }
}

function sourceTagOf({ manner }: Investor, draw: Draw): number | undefined {
  const tag = draw.between(1, 0xffff_fffe);
  const forgets = draw.chance(0.3);
  if (manner === 'exchange') return tag;
  if (manner === 'careless exchange') return forgets ? undefined : tag;
  return draw.chance(0.3) ? tag : undefined;
}

/** Has somebody pay something into a sale, or near it. Gives what it was. */
export async function payOnce(
  ground: Environment,
  sales: readonly [Sale, ...Sale[]],
  draw: Draw,
): Promise<PaymentKind> {
  const investor = draw.pick(ground.investors);
  const { project } = draw.pick(sales);
  const kind = draw.pick(KINDS);
  const drops = drawDrops(kind, draw);
  const sourceTag = sourceTagOf(investor, draw);
  const isRightTag = kind !== 'wrong tag' && kind !== 'no tag';
  const wrongTag = draw.between(1, 0xffff_fffe);
  const tag = isRightTag ? project.destination_tag : wrongTag;
  const isIssued = kind === 'issued tokens';
  const own = { currency: CURRENCY, issuer: ground.issuer.address, value: '0.5' };
  await ground.send((isIssued ? ground.investors[0] : investor).wallet, {
    TransactionType: 'Payment',
    Destination: project.deposit_address,
    Amount: isIssued ? own : String(drops),
    ...(kind === 'no tag' ? {} : { DestinationTag: tag }),
    ...(sourceTag === undefined ? {} : { SourceTag: sourceTag }),
  });
  return kind;
}
