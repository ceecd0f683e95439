import type { World } from './world.ts';

export type Unpaid = {
  id: string;
  kind: string;
  status: string;
  reason: string | null;
  destination: string;
  destinationTag: number | null;
  isDue: boolean;
};

const NO_ROOM = new Set(['trust_line_missing', 'token_not_opted_in']);

/** Why a payout may rightly be unpaid at the end; null when it may not. */
export function excuseOf({ ground }: World, payout: Unpaid): string | null {
  const { status, reason, isDue, destination, destinationTag } = payout;
  if (!isDue) return status === 'scheduled' && reason === null ? 'not due yet' : null;
  const manner = ground.investors.find(({ wallet }) => wallet.address === destination)?.manner;
  if (manner === 'never' && status === 'waiting_holder' && NO_ROOM.has(reason ?? '')) return 'takes no tokens';
  const isTagless = manner === 'careless exchange' && destinationTag === null && reason === 'destination_tag_required';
  return isTagless && (status === 'waiting_holder' || status === 'held') ? 'asks for a tag that nobody knows' : null;
}
