import { Fact, Facts } from '../../../_ui/facts.tsx';
import { type TermsField, termsFields } from './terms-fields.ts';

/** What the terms say, field by field. */
export const TermsText = ({ canonical }: { canonical: string }) => <Fields fields={termsFields(canonical)} />;

const Fields = ({ fields }: { fields: readonly TermsField[] }) => (
  <Facts>
    {fields.map((field) => (
      <Fact key={field.name} name={field.name} isLong={'parts' in field}>
        {'text' in field ? <span className="break-all">{field.text}</span> : <Parts parts={field.parts} />}
      </Fact>
    ))}
  </Facts>
);

function Parts({ parts }: { parts: readonly TermsField[][] }) {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return <Fields fields={only} />;
  return (
    <ol className="space-y-2">
      {parts.map((fields) => (
        <li key={JSON.stringify(fields)} className="rounded-xl border border-line px-4">
          <Fields fields={fields} />
        </li>
      ))}
    </ol>
  );
}
