import { Fragment, type ReactNode } from 'react';
import { componentName, type JsonSchema, resolveSchema, type Schemas } from '#lib/api/openapi-schema.ts';

/** Bounds that every whole number has say nothing. */
const isChosen = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

const joined = (parts: readonly ReactNode[]): ReactNode =>
  parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one type, which never move
    <Fragment key={index}>
      {index > 0 && ' | '}
      {part}
    </Fragment>
  ));

/** The type of a schema in a few words. */
export function typeText(schema: JsonSchema, schemas: Schemas): ReactNode {
  const name = componentName(schema);
  if (name !== null) return name;
  const own = resolveSchema(schema, schemas);
  if (own.const !== undefined) return <code>{JSON.stringify(own.const)}</code>;
  if (own.enum !== undefined)
    return joined(own.enum.map((value) => <code key={String(value)}>{JSON.stringify(value)}</code>));
  const parts = own.anyOf ?? own.oneOf;
  if (parts !== undefined && own.properties === undefined) return joined(parts.map((part) => typeText(part, schemas)));
  const types = [own.type ?? 'any'].flat();
  if (types.includes('array') && own.items !== undefined) return <>list of {typeText(own.items, schemas)}</>;
  return `${types.join(' | ')}${own.format === undefined ? '' : ` (${own.format})`}`;
}

function bounds(schema: JsonSchema, schemas: Schemas): string {
  const own = resolveSchema(schema, schemas);
  return [
    own.default === undefined ? '' : `default ${JSON.stringify(own.default)}`,
    isChosen(own.minimum) ? `at least ${own.minimum}` : '',
    isChosen(own.maximum) ? `at most ${own.maximum}` : '',
    isChosen(own.maxLength) ? `at most ${own.maxLength} characters` : '',
    isChosen(own.minItems) ? `at least ${own.minItems}` : '',
    isChosen(own.maxItems) ? `at most ${own.maxItems}` : '',
    own.pattern === undefined || own.format !== undefined ? '' : `pattern ${own.pattern}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The schemas whose fields stand beneath a field: its own, its list’s, or those of its alternatives. */
function nested(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const own = resolveSchema(schema, schemas);
  if (own.properties !== undefined) return [schema];
  if (own.items !== undefined) return nested(own.items, schemas);
  return (own.anyOf ?? own.oneOf ?? []).flatMap((part) => nested(part, schemas));
}

/** Deeper fields are read in the OpenAPI document: a schema may hold itself. */
const DEEPEST = 5;

/** A text of the document, in which only `code` is marked up. */
export const Prose = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
      <code key={index} className="rounded bg-sunken px-1 font-mono text-[0.9em]">
        {part}
      </code>
    ) : (
      part
    ),
  );

interface FieldProps {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  schemas: Schemas;
  /** What is answered is there unless it says otherwise; what is sent need not be. */
  isAnswer?: boolean;
  depth?: number;
}

/** A field or parameter: name, type, whether it must be there, what it is for; the fields beneath it, folded. */
export function Field({ name, schema, isRequired, schemas, isAnswer = false, depth = 0 }: FieldProps) {
  const own = resolveSchema(schema, schemas);
  const described = (typeof schema === 'object' ? schema.description : undefined) ?? own.description;
  const limits = bounds(schema, schemas);
  const beneath = depth < DEEPEST ? nested(schema, schemas) : [];
  return (
    <li className="py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <code className="font-mono font-medium break-all">{name}</code>
        <span className="text-soft">{typeText(schema, schemas)}</span>
        {isRequired === !isAnswer && (
          <span className="text-xs text-warn">{isAnswer ? 'may be absent' : 'required'}</span>
        )}
      </p>
      {described !== undefined && (
        <p className="mt-0.5 text-sm">
          <Prose text={described} />
        </p>
      )}
      {limits !== '' && <p className="mt-0.5 font-mono text-xs break-all text-soft">{limits}</p>}
      {beneath.length > 0 && (
        <details className="mt-1">
          <summary className="text-sm text-accent">Fields of {name}</summary>
          {beneath.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: alternatives of one schema, which never move
            <Fields key={index} schema={part} schemas={schemas} isAnswer={isAnswer} depth={depth + 1} />
          ))}
        </details>
      )}
    </li>
  );
}

/** The fields of a body, one line each; nothing where it has none. */
export function Fields({ schema, schemas, isAnswer = false, depth = 0 }: Omit<FieldProps, 'name' | 'isRequired'>) {
  const own = resolveSchema(schema, schemas);
  const fields = Object.entries(own.properties ?? {});
  if (fields.length === 0) {
    return nested(own, schemas).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: alternatives of one schema, which never move
      <Fragment key={index}>
        {index > 0 && <p className="text-xs text-soft">or</p>}
        <Fields schema={part} schemas={schemas} isAnswer={isAnswer} depth={depth} />
      </Fragment>
    ));
  }
  return (
    <ul className="divide-y divide-line border-l-2 border-line pl-4">
      {fields.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          isRequired={own.required?.includes(name) === true}
          schemas={schemas}
          isAnswer={isAnswer}
          depth={depth}
        />
      ))}
    </ul>
  );
}
