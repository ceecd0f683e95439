import type { ReactNode } from 'react';
import { z } from 'zod';
import { Fact, Facts } from '../../../_ui/facts.tsx';
import { formatTime } from '../../../_ui/format.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const termsObject = z.record(z.string(), z.json());
type Json = z.output<typeof termsObject>[string];

const nameOf = (key: string): string => {
  const words = key.replaceAll('_', ' ').replace(/\bxrp\b/, 'XRP');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const textOf = (value: string | number | boolean): string =>
  typeof value === 'string' && TIME.test(value) ? formatTime(value) : String(value);

/** Every field of the terms, by its name and with its value as it is: nothing is left out and nothing added. */
export function TermsText({ canonical }: { canonical: string }) {
  return <Fields fields={termsObject.parse(JSON.parse(canonical))} />;
}

const Fields = ({ fields }: { fields: Record<string, Json> }) => (
  <Facts>
    {Object.entries(fields).map(([key, value]) => (
      <Fact key={key} name={nameOf(key)} isLong={typeof value === 'object' && value !== null}>
        <Value value={value} />
      </Fact>
    ))}
  </Facts>
);

function Value({ value }: { value: Json }): ReactNode {
  if (value === null) return <span className="text-soft">none</span>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="text-soft">none</span>;
    return (
      <ol className="space-y-2">
        {value.map((one) => (
          <li key={JSON.stringify(one)} className="rounded-xl border border-line px-4">
            {typeof one === 'object' ? <Value value={one} /> : <p className="py-2 break-all">{textOf(one)}</p>}
          </li>
        ))}
      </ol>
    );
  }
  if (typeof value === 'object') return <Fields fields={value} />;
  return <span className="break-all">{textOf(value)}</span>;
}
