import type { PublishedAction } from './feed.ts';
import { endSale, type Sale } from './sale.ts';

/** What a move other than `assign` does to its sale (docs/verification.md section 4). */
export function applyAction(sale: Sale, { says, at, ledger }: PublishedAction): void {
  const { status } = sale;
  const open = status === 'active' || status === 'paused';
  switch (says.move) {
    case 'launch': {
      const tooLate = sale.endsAt !== null && at > sale.endsAt;
      if (status === 'draft' && says.terms_hash === sale.termsHash && !tooLate) {
        Object.assign(sale, { status: 'active', launchLedger: ledger });
      }
      break;
    }
    case 'pause':
      if (status === 'active') sale.status = 'paused';
      break;
    case 'resume':
      if (status === 'paused') sale.status = 'active';
      break;
    case 'end':
      if (open) endSale(sale, 'ended', at);
      break;
    case 'cancel':
      if (open) Object.assign(sale, { status: 'cancelled', endReason: 'cancelled', endedAt: at });
      break;
    case 'list': {
      const hash = says.list_hash ?? '';
      const counts = sale.lists.has(hash) || (sale.terms.custody !== undefined && hash !== '');
      if ((open || status === 'draft') && counts) sale.listHash = hash;
    }
  }
}
