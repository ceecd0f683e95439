'use client';

import { Card } from '../../../_ui/card.tsx';
import { FieldFault } from '../../../_ui/field.tsx';
import { Choice, type PartProps, Text } from './fields.tsx';

const ACCESS = [
  { value: 'open', says: 'Everybody' },
  { value: 'allowlist', says: 'Wallets of the allowlist' },
];
const DISTRIBUTION = [
  { value: 'immediate', says: 'As soon as a payment is confirmed' },
  { value: 'at_end', says: 'When the sale has ended' },
];
const VESTING_LOCKED = [
  { value: 'no', says: 'Stay in the balance' },
  { value: 'yes', says: 'Are locked in escrow until they are due' },
];

/** When it sells, to whom, how much, and when tokens are due. */
export function LimitsPart({ values, fault }: PartProps) {
  const part = { values, fault };
  return (
    <>
      <Card title="When and how much">
        <div className="grid gap-4 sm:grid-cols-2">
          <Text {...part} name="starts_at" label="Start (UTC, optional)" type="datetime-local" />
          <Text {...part} name="ends_at" label="End (UTC, optional)" type="datetime-local" />
          <Text
            {...part}
            name="min_investment_xrp"
            label="Minimum payment, XRP"
            inputMode="decimal"
            hint="A smaller payment is refunded. Leave empty for no minimum: then a payment of one drop causes a payout"
          />
          <Text {...part} name="max_per_wallet_xrp" label="Maximum per wallet, XRP (optional)" inputMode="decimal" />
          <Text
            {...part}
            name="soft_cap_xrp"
            label="Soft cap, XRP (optional)"
            inputMode="decimal"
            hint="Needs tokens sent at the end"
          />
          <Choice name="access" label="Eligible buyers" options={ACCESS} defaultValue={values.access} />
        </div>
      </Card>
      <Card
        title="When tokens are due"
        lead="What is not due at once is due in equal parts: after the cliff, a part a period."
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Choice
            name="distribution"
            label="Tokens are sent"
            options={DISTRIBUTION}
            defaultValue={values.distribution}
          />
          <Text
            {...part}
            name="immediate_percent"
            path="vesting.immediate_bps"
            label="Immediate, percent"
            inputMode="decimal"
            required
          />
          <Text
            {...part}
            name="cliff_days"
            path="vesting.cliff_days"
            label="Cliff, days"
            inputMode="numeric"
            required
          />
          <Text {...part} name="periods" path="vesting.periods" label="Parts" inputMode="numeric" required />
          <Text
            {...part}
            name="period_days"
            path="vesting.period_days"
            label="Days between parts"
            inputMode="numeric"
            required
          />
          <Text
            {...part}
            name="claim_days"
            label="Claim period, days"
            inputMode="numeric"
            required
            hint="After it, the console lists holders who are not ready"
          />
          <div className="space-y-1.5">
            <Choice
              name="vesting_locked"
              label="Tokens not due yet when the sale ends"
              options={VESTING_LOCKED}
              defaultValue={values.vesting_locked}
              data-path="vesting_locked"
              aria-invalid={fault('vesting_locked') === undefined ? undefined : true}
              aria-describedby="vesting_locked-hint vesting_locked-fault"
            />
            <p id="vesting_locked-hint" className="text-xs text-soft">
              In escrow they can only be sent when they are due. It needs vesting, an end, a token that allows escrows,
              and a distributor that is not the issuer. What is due within 2 days of the end is not locked
            </p>
            <FieldFault id="vesting_locked-fault" fault={fault('vesting_locked')} />
          </div>
        </div>
      </Card>
    </>
  );
}
