import type { ReleaseAnswer } from '#lib/payouts/release/contracts.ts';
import { formatAmount } from '../../../_ui/format.ts';
import { type Outcome, outcome } from '../../act.ts';

const xrp = (amount: string): string => `${formatAmount(amount)} XRP`;

/** What a release would do, by the answer of its dry run; `begins` says whether it is done or asked for. */
export const rehearsedRelease = ({ amount_xrp, figures }: ReleaseAnswer, begins: string): Outcome =>
  outcome('rehearsed', `${begins} ${xrp(amount_xrp)} for good.`, {
    effects: [
      { name: 'To the treasury', value: figures.treasury ?? '' },
      { name: 'Releasable before it', value: xrp(figures.releasable_xrp) },
      { name: 'Released before', value: xrp(figures.released_xrp) },
      { name: 'Reserved in the deposit account', value: xrp(figures.deposit_account.floor_xrp) },
    ],
    carried: { amount_xrp },
  });
