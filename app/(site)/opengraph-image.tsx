import { CARD_SIZE, socialCard } from './_social/card.tsx';

export const alt = 'Tranche: token sales on the XRP Ledger that you can check yourself';
export const size = CARD_SIZE;
export const contentType = 'image/png';

export default function Image() {
  return socialCard('Token sales you can check yourself', [
    'On the XRP Ledger: price tiers, exact allocations, automatic refunds',
  ]);
}
