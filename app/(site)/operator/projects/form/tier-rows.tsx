'use client';

import { useState } from 'react';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { Choice, type PartProps } from './fields.tsx';

const MOST_TIERS = 50;
const ACCESS = [
  { value: 'open', says: 'Same as the sale' },
  { value: 'allowlist', says: 'Allowlist only' },
];

const MOST_ISSUERS = 10;

/** What is wrong with the issuers, or the first that is wrong. */
function issuersFault(fault: PartProps['fault'], path: string): string | undefined {
  const ofEach = Array.from({ length: MOST_ISSUERS }, (_, index) => fault(`${path}[${index}]`));
  return fault(path) ?? ofEach.find((each) => each !== undefined);
}

/** The tiers of a project, one row each, in the order in which they sell. */
export function TierRows({ values, fault }: PartProps) {
  const [keys, setKeys] = useState(values.tiers.map((_, index) => index));
  return (
    <Card title="Tiers" lead="In the order in which they sell.">
      <div className="space-y-4">
        {keys.map((key, index) => {
          const tier = values.tiers[key];
          return (
            <fieldset
              key={key}
              className="grid items-start gap-4 rounded-xl border border-line p-4 sm:grid-cols-2 lg:grid-cols-4"
            >
              <legend className="px-1 text-sm font-medium">Tier {index + 1}</legend>
              <Field
                id={`price-${key}`}
                name="tier_price"
                label="XRP a token"
                inputMode="decimal"
                required
                defaultValue={tier?.price_per_token}
                data-path={`tiers[${index}].price_per_token`}
                fault={fault(`tiers[${index}].price_per_token`)}
              />
              <Field
                id={`tokens-${key}`}
                name="tier_tokens"
                label="Tokens"
                inputMode="decimal"
                required
                defaultValue={tier?.total_tokens}
                data-path={`tiers[${index}].total_tokens`}
                fault={fault(`tiers[${index}].total_tokens`)}
              />
              <Field
                id={`starts-${key}`}
                name="tier_starts_at"
                label="Not before (UTC)"
                type="datetime-local"
                defaultValue={tier?.starts_at}
                data-path={`tiers[${index}].starts_at`}
                fault={fault(`tiers[${index}].starts_at`)}
              />
              <Choice name="tier_access" label="Sells to" options={ACCESS} defaultValue={tier?.access} />
              <Field
                id={`credential-${key}`}
                name="tier_credential"
                label="Credential type"
                hint="Text, or 0x and hexadecimal. Empty: none is required."
                maxLength={130}
                autoComplete="off"
                spellCheck={false}
                defaultValue={tier?.credential_type}
                data-path={`tiers[${index}].credential.type`}
                fault={fault(`tiers[${index}].credential.type`) ?? fault(`tiers[${index}].credential.credential_type`)}
              />
              <Field
                id={`issuers-${key}`}
                name="tier_issuers"
                label="Issuers of the credential"
                hint="Addresses, with spaces between them. One of them is enough."
                maxLength={500}
                autoComplete="off"
                spellCheck={false}
                defaultValue={tier?.credential_issuers}
                data-path={`tiers[${index}].credential.issuers`}
                fault={issuersFault(fault, `tiers[${index}].credential.issuers`)}
              />
              {keys.length > 1 && (
                <Button
                  look="quiet"
                  className="justify-self-start"
                  onClick={() => setKeys(keys.filter((each) => each !== key))}
                >
                  Remove tier {index + 1}
                </Button>
              )}
            </fieldset>
          );
        })}
        {fault('tiers') !== undefined && (
          <p role="alert" className="text-xs font-medium text-bad">
            The tiers {fault('tiers')}
          </p>
        )}
        <Button disabled={keys.length >= MOST_TIERS} onClick={() => setKeys([...keys, Math.max(...keys) + 1])}>
          Add a tier
        </Button>
      </div>
    </Card>
  );
}
