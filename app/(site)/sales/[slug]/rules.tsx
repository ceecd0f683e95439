import type { ProjectResource } from '#lib/sales/schemas.ts';
import { formatAmount, formatTime } from '../../_ui/format.ts';
import { Icon } from '../../_ui/icon.tsx';

/** What becomes of payments that do not simply buy, beside the address they go to: said before anybody pays. */
export function Rules({ project }: { project: ProjectResource }) {
  return (
    <section id="rules" aria-label="What happens to payments that do not fit" className="rounded-xl border border-line">
      <h4 className="border-b border-line px-4 py-3 text-sm font-semibold">If your payment does not fit</h4>
      <ul className="grid gap-x-6 gap-y-4 p-4 text-sm sm:grid-cols-2">
        {rulesOf(project).map(({ name, text }) => (
          <li key={name} className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2">
            <Icon name="back" className="mt-0.5 size-4 text-accent" />
            <div>
              <p className="font-medium">{name}</p>
              <p className="mt-0.5 text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function rulesOf({ ends_at, min_investment_xrp, max_per_wallet_xrp, soft_cap_xrp, access, tiers }: ProjectResource) {
  const end = ends_at === null ? '' : ` The sale ends at ${formatTime(ends_at)}.`;
  const isListed = access === 'allowlist' || tiers.some((tier) => tier.access === 'allowlist');
  const rules: { name: string; text: string }[] = [
    {
      name: 'Too early, too late, or while paused',
      text: `All of it goes back. The close time of the payment’s ledger decides.${end}`,
    },
    {
      name: 'Without the tag, or a wrong one',
      text: 'It goes back, less the network’s fee. What cannot be sent back is held for an operator.',
    },
    {
      name: 'More than is left',
      text: 'You get what is left, tier by tier in the ledger’s order; the rest goes back by itself.',
    },
    {
      name: 'Change',
      text: 'What buys no further unit goes back if it is worth sending; less is kept and shown as rounding.',
    },
  ];
  if (min_investment_xrp !== null) {
    rules.push({ name: `Less than ${formatAmount(min_investment_xrp)} XRP`, text: 'All of it goes back.' });
  }
  if (max_per_wallet_xrp !== null) {
    rules.push({
      name: `More than ${formatAmount(max_per_wallet_xrp)} XRP of one wallet`,
      text: 'What is above goes back.',
    });
  }
  if (isListed)
    rules.push({ name: 'A wallet that is not on the list', text: 'Where a list is asked for, it goes back.' });
  if (soft_cap_xrp !== null) {
    rules.push({
      name: `Less than ${formatAmount(soft_cap_xrp)} XRP in the end`,
      text: 'The sale fails: everybody gets their XRP back, and no tokens are sent.',
    });
  }
  rules.push({
    name: 'Refunds go to who paid',
    text: 'With the payment’s source tag as destination tag, so that they find their way.',
  });
  return rules;
}
