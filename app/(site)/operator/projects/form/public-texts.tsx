'use client';

import { Card } from '../../../_ui/card.tsx';
import { inputClass } from '../../../_ui/field.tsx';
import { type PartProps, Text } from './fields.tsx';

/** What no terms hold: it may change at any time. */
export function PublicTexts({ values, fault }: PartProps) {
  const problem = fault('description');
  return (
    <Card title="What everybody reads">
      <div className="space-y-4">
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          Description
          <textarea
            name="description"
            rows={5}
            maxLength={5000}
            defaultValue={values.description}
            aria-invalid={problem === undefined ? undefined : true}
            className={inputClass}
          />
          {problem !== undefined && (
            <span role="alert" className="block text-xs text-bad">
              {problem}
            </span>
          )}
        </label>
        <Text {...{ values, fault }} name="website" label="Website (optional)" type="url" placeholder="https://…" />
        <Text {...{ values, fault }} name="logo" label="Logo (optional)" type="url" placeholder="https://…" />
      </div>
    </Card>
  );
}
