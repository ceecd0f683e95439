import type { Action } from '@tranche/rules/types.ts';
import type { ActionEffects } from '#lib/sales/actions/read-effects.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fullRaiseXrp } from '../../../_data/full-raise.ts';
import { tokenUnit } from '../../../_ui/amounts.tsx';
import { formatAmount, formatCount, formatTime } from '../../../_ui/format.ts';

export type OfferedAction = Exclude<Action, 'list' | 'assign'>;

const xrp = (amount: string): string => `${formatAmount(amount)} XRP`;
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** What an action would bring about, in sentences with the figures of this moment. Pure. */
export function effectsOf(kind: OfferedAction, project: ProjectResource, effects: ActionEffects): string[] {
  switch (kind) {
    case 'launch':
      return launchEffects(project);
    case 'pause':
      return [
        'Payments after it in the ledger’s order are sent back, until the sale is resumed.',
        ...undecided(effects, 'will still be decided as usual'),
        effects.payoutsOpen === 0
          ? 'Nothing that was bought waits to be paid out.'
          : `${counted(effects.payoutsOpen, 'payout')} of what was bought ${effects.payoutsOpen === 1 ? 'goes' : 'go'} on.`,
      ];
    case 'resume':
      return [
        'Payments after it in the ledger’s order count again. What was sent back meanwhile stays sent back.',
        ...(project.ends_at === null ? [] : [`The sale still ends on ${formatTime(project.ends_at)}.`]),
      ];
    case 'end':
      return endEffects(project, effects);
    case 'cancel':
      return cancelEffects(effects);
  }
}

const undecided = ({ undecided: { payments, xrp: amount } }: ActionEffects, then: string): string[] =>
  payments === 0 ? [] : [`${counted(payments, 'payment')} of ${xrp(amount)} came before it and ${then}.`];

/** What a launch would anchor and begin. Pure. */
export function launchEffects(project: ProjectResource): string[] {
  const unit = tokenUnit(project.token);
  const tokens = project.tiers.map(({ total_tokens }) => formatAmount(total_tokens)).join(' + ');
  return [
    `Anchors the terms on the ledger for good: ${counted(project.tiers.length, 'tier')}, ${tokens} ${unit}, ${xrp(fullRaiseXrp(project))} when all is sold.`,
    project.starts_at === null
      ? 'Payments count from then on.'
      : `Payments count from ${formatTime(project.starts_at)}.`,
    project.ends_at === null ? 'It has no end date.' : `It ends on ${formatTime(project.ends_at)}.`,
    project.treasury === null
      ? 'It names no treasury, so it cannot be launched: what is raised could never be released.'
      : `What is raised may go to ${project.treasury} only.`,
  ];
}

function endEffects({ progress, soft_cap_xrp }: ProjectResource, effects: ActionEffects): string[] {
  const raised = `${xrp(progress.total_raised_xrp)} of ${counted(progress.total_investors, 'wallet')}`;
  return [
    `Closes the sale for good with ${raised}. Payments after it are sent back. This cannot be undone.`,
    ...undecided(effects, 'will still be decided as usual'),
    ...(soft_cap_xrp === null
      ? ['No investment is refunded.']
      : [`Below the soft cap of ${xrp(soft_cap_xrp)} every investment is refunded; at or above it, none is.`]),
  ];
}

function cancelEffects(effects: ActionEffects): string[] {
  const { refunded, tooSmall, kept, payoutsUnderWay } = effects;
  return [
    `Ends the sale for good and sends ${xrp(refunded.xrp)} back to ${counted(refunded.wallets, 'wallet')}, for ${counted(refunded.investments, 'investment')} whose tokens have not all arrived. This cannot be undone.`,
    ...(kept.investments === 0
      ? []
      : [`${xrp(kept.xrp)} of ${counted(kept.investments, 'investment')} stays: its tokens are with their holders.`]),
    ...(tooSmall.investments === 0
      ? []
      : [
          `${xrp(tooSmall.xrp)} of ${counted(tooSmall.investments, 'investment')} is too little to be sent and is held.`,
        ]),
    ...(payoutsUnderWay === 0
      ? []
      : [
          `${counted(payoutsUnderWay, 'payout')} of tokens ${payoutsUnderWay === 1 ? 'is' : 'are'} on the way now: what arrives is not refunded.`,
        ]),
    ...undecided(effects, 'will be decided first, then refunded alike'),
  ];
}
