import { componentName, type JsonSchema, resolveSchema, type Schemas } from '#lib/api/openapi-schema.ts';
import { html, type Markup, prose } from './markup.ts';

/** Bounds that every whole number has say nothing. */
const isChosen = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

const link = (name: string): Markup => html`<a href="#schema-${name}">${name}</a>`;

const joined = (parts: readonly Markup[], by: string): Markup =>
  html`${parts.flatMap((part, index) => (index === 0 ? [part] : [by, part]))}`;

/** The type of a schema in a few words; what has a name of its own is linked. */
export function typeText(schema: JsonSchema, schemas: Schemas): Markup {
  const name = componentName(schema);
  if (name !== null) return link(name);
  const own = resolveSchema(schema, schemas);
  if (own.const !== undefined) return html`<code>${JSON.stringify(own.const)}</code>`;
  if (own.enum !== undefined)
    return joined(
      own.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' | ',
    );
  const parts = own.anyOf ?? own.oneOf;
  if (parts !== undefined && own.properties === undefined) {
    return joined(
      parts.map((part) => typeText(part, schemas)),
      ' | ',
    );
  }
  const types = [own.type ?? 'any'].flat();
  if (types.includes('array') && own.items !== undefined) return html`list of ${typeText(own.items, schemas)}`;
  return html`${types.join(' | ')}${own.format === undefined ? null : ` (${own.format})`}`;
}

function bounds(schema: JsonSchema, schemas: Schemas): string {
  const own = resolveSchema(schema, schemas);
  return [
    isChosen(own.minimum) ? `at least ${own.minimum}` : '',
    isChosen(own.maximum) ? `at most ${own.maximum}` : '',
    isChosen(own.maxLength) ? `at most ${own.maxLength} characters` : '',
    isChosen(own.minItems) ? `at least ${own.minItems}` : '',
    isChosen(own.maxItems) ? `at most ${own.maxItems}` : '',
    own.pattern === undefined ? '' : `pattern ${own.pattern}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The schemas whose fields are shown beneath a field: its own, its list’s, or those of its alternatives. */
function nested(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  if (componentName(schema) !== null) return [];
  const own = resolveSchema(schema, schemas);
  if (own.properties !== undefined) return [own];
  if (own.items !== undefined) return nested(own.items, schemas);
  return (own.anyOf ?? own.oneOf ?? []).flatMap((part) => nested(part, schemas));
}

/** One line a field, and beneath it the fields of what stands in it. */
export function fieldList(schema: JsonSchema, schemas: Schemas): Markup | null {
  const own = resolveSchema(schema, schemas);
  const fields = Object.entries(own.properties ?? {});
  if (fields.length === 0) {
    const parts = nested(own, schemas).map((part) => fieldList(part, schemas));
    return parts.length === 0 ? null : html`${parts.flatMap((part, index) => (index === 0 ? [part] : [OR, part]))}`;
  }
  return html`<ul class="fields">${fields.map(([name, field]) => fieldItem(name, field, own.required?.includes(name) === true, schemas))}</ul>`;
}

const OR = html`<p class="or">or</p>`;

/** A field or parameter: name, type, whether it must be there, what it is for. */
export function fieldItem(name: string, schema: JsonSchema, isRequired: boolean, schemas: Schemas): Markup {
  const described = typeof schema === 'object' ? schema.description : undefined;
  const limits = bounds(schema, schemas);
  return html`<li><code class="name">${name}</code> <span class="type">${typeText(schema, schemas)}${
    isRequired ? null : ', optional'
  }</span>${described === undefined ? null : html` <span>${prose(described)}</span>`}${
    limits === '' ? null : html` <small>${limits}</small>`
  }${nested(schema, schemas).map((part) => fieldList(part, schemas))}</li>`;
}
