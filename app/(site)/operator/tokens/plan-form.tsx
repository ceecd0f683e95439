import Form from 'next/form';
import type { IssuanceFlag } from '#lib/xrpl/token-transactions.ts';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { IssuerField } from './issuer-field.tsx';
import { KindSwitch } from './kind-switch.tsx';
import type { PlanValues } from './plan.ts';

const FLAGS: readonly { flag: IssuanceFlag; label: string; says: string }[] = [
  { flag: 'can_transfer', label: 'Can be transferred', says: 'A sale needs it: the distributor sends to buyers.' },
  { flag: 'can_trade', label: 'Can be traded', says: 'On the ledger’s own exchange.' },
  { flag: 'can_escrow', label: 'Can be held in escrow', says: 'By its holders.' },
  {
    flag: 'requires_authorization',
    label: 'Requires authorisation',
    says: 'Each buyer needs yours, one by one, before tokens arrive.',
  },
  { flag: 'can_lock', label: 'Can be locked', says: 'By you, for one holder or all. Buyers see it.' },
  { flag: 'can_claw_back', label: 'Can be clawed back', says: 'By you, from any holder. Buyers see it.' },
];

/** What is to be issued, by whom, and to which distributor. Its answer is an address that can be kept. */
export function PlanForm({
  values,
  faults,
  signers,
}: {
  values: PlanValues;
  faults: Record<string, string>;
  signers: readonly string[];
}) {
  const { kind } = values;
  const text = (name: Exclude<keyof PlanValues, 'flags' | 'kind' | 'project'>) => ({
    id: name,
    name,
    defaultValue: values[name],
    fault: faults[name],
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <Form action="/operator/tokens" className="space-y-5" key={`${kind} ${values.issuance_id}`}>
      <input type="hidden" name="kind" value={kind} />
      {values.project !== '' && <input type="hidden" name="project" value={values.project} />}
      {/* What Enter in a field does; else it would be the first button below. */}
      <button type="submit" tabIndex={-1} aria-hidden className="sr-only">
        Show the steps
      </button>
      <KindSwitch chosen={kind} />
      <IssuerField given={values.issuer} fault={faults.issuer} />
      <div className="grid gap-5 sm:grid-cols-2">
        {kind === 'iou' ? (
          <Field
            {...text('currency')}
            label="Currency"
            placeholder="DMO"
            required
            hint="3 characters, or 40 hex digits"
          />
        ) : (
          <Field {...text('issuance_id')} label="Issuance id (optional)" hint="Left empty, a new token is created" />
        )}
        <Field
          {...text('decimals')}
          label="Decimals"
          inputMode="numeric"
          required
          hint={kind === 'mpt' ? 'AssetScale, from 0 to 6' : 'That the sale counts with, from 0 to 6'}
        />
        <Field
          {...text('supply')}
          label="Supply for the distributor"
          inputMode="decimal"
          required
          placeholder="1000000"
          hint="What all tiers of the sale offer together"
        />
        {kind === 'mpt' && values.issuance_id === '' && (
          <Field
            {...text('maximum')}
            label="Maximum ever issued (optional)"
            inputMode="decimal"
            hint="Left empty: the supply. Fixed for good"
          />
        )}
      </div>
      <datalist id="token-signers">
        {signers.map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <Field
        {...text('distributor')}
        label="Distributor"
        list="token-signers"
        required
        placeholder="r…"
        hint={
          signers.length === 0
            ? 'The platform has no key yet: set SIGNING_KEYS, deploy, then come back.'
            : 'Sends the tokens to buyers. The field offers the accounts whose keys the platform has.'
        }
      />
      {kind === 'mpt' && values.issuance_id === '' && (
        <>
          <fieldset className="space-y-2">
            <legend className="mb-2 text-sm font-medium">What the new token allows, for good</legend>
            {FLAGS.map(({ flag, label, says }) => (
              <label key={flag} className="flex gap-3 text-sm">
                <input
                  type="checkbox"
                  name="flag"
                  value={flag}
                  defaultChecked={values.flags.includes(flag)}
                  className="mt-0.5 size-4 shrink-0"
                />
                <span>
                  {label} <span className="text-soft">{says}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-3 text-sm font-medium">
              Metadata (optional): what wallets and explorers show, for good
            </legend>
            <Field {...text('ticker')} label="Ticker" placeholder="DMO" maxLength={6} />
            <Field {...text('name')} label="Token name" maxLength={120} />
            <Field {...text('issuer_name')} label="Issuer’s name" maxLength={120} />
            <Field {...text('icon')} label="Icon" placeholder="https://…" maxLength={300} />
          </fieldset>
        </>
      )}
      {Object.keys(faults).length > 0 && (
        <Notice tone="bad" title="Not complete yet" isAlert>
          Fields to correct: {Object.keys(faults).length}.
        </Notice>
      )}
      <Button type="submit" look="primary">
        Show the steps
      </Button>
    </Form>
  );
}
