import { formatDrops } from '@tranche/rules/amounts.ts';
import type { AccountFacts, Step } from '#lib/custody/steps.ts';

/** What a step is called and why it is there. Pure. */
export function textOf(step: Step, facts: AccountFacts): { title: string; why: string } {
  return TEXTS[step.id](facts, step);
}

const TEXTS: Record<Step['id'], (facts: AccountFacts, step: Step) => { title: string; why: string }> = {
  account: ({ balanceDrops }) => ({
    title: 'Fund the account',
    why: `It holds ${formatDrops(balanceDrops)} XRP, for the ledger’s reserve and the fees.`,
  }),
  objects: () => ({
    title: 'End everything by which money can leave',
    why: 'Checks, escrows, channels, offers and delegates of the account pay without the signers.',
  }),
  rippling: () => ({
    title: 'Close its trust lines to others’ payments (NoRipple)',
    why: 'Else others’ payments could pass through the account and change which tokens it holds.',
  }),
  signer_list: (_, { signedBy }) =>
    signedBy === 'signers'
      ? {
          title: 'Replace the signer list (SignerListSet)',
          why: 'A quorum of the present signers signs it. From then on these sign, and nobody else.',
        }
      : {
          title: 'Set the signer list (SignerListSet)',
          why: 'From then on the signers can sign. The account’s own key still can, until the last step.',
        },
  rehearsal: () => ({
    title: 'Rehearse with every key',
    why: 'A transaction that moves nothing and that every key signs: it proves that somebody holds each of them.',
  }),
  regular_key: () => ({
    title: 'Remove the regular key (SetRegularKey)',
    why: 'It could sign alone.',
  }),
  master_key: ({ masterDisabled }) =>
    masterDisabled
      ? {
          title: 'Enable the master key again',
          why: 'A quorum signs it. From then on the owner’s key alone can move everything.',
        }
      : {
          title: 'Disable the master key (AccountSet)',
          why: 'The last step: from then on nothing leaves the account without a quorum. Lost keys cannot be replaced by anybody.',
        },
  no_list: () => ({ title: 'Remove the signer list', why: 'The account is under its own key again.' }),
};
