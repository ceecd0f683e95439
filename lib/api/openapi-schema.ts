import type { createDocument } from 'zod-openapi';

/** The part of JSON Schema (2020-12) that the document's schemas are written in; `true` admits anything. */
export type JsonSchema = ObjectSchema | boolean;

export interface ObjectSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

const PREFIX = '#/components/schemas/';

/** Name of the component that a schema refers to; null when it stands on its own. */
export const componentName = (schema: JsonSchema): string | null =>
  typeof schema === 'object' && schema.$ref?.startsWith(PREFIX) === true ? schema.$ref.slice(PREFIX.length) : null;

/** The schema itself, whether written out or referred to. Throws for a reference that leads nowhere. */
export function resolveSchema(schema: JsonSchema, schemas: Schemas): ObjectSchema {
  if (typeof schema === 'boolean') return {};
  const name = componentName(schema);
  if (name === null) return schema;
  const found = schemas[name];
  if (found === undefined) throw new Error(`The document has no schema ${name}`);
  return resolveSchema(found, schemas);
}

export type OpenapiDocument = ReturnType<typeof createDocument>;
type PathItem = NonNullable<OpenapiDocument['paths']>[string];
export type OpenapiOperation = NonNullable<PathItem['get']>;

/** The forms of one body. */
export type MediaTypes = Record<string, { schema?: JsonSchema; example?: unknown; examples?: Record<string, unknown> }>;

/** The operations of a path, in the order in which they are shown. */
export const operationsIn = ({ get, post, put, patch, delete: remove }: PathItem): OpenapiOperation[] =>
  [get, post, put, patch, remove].filter((one) => one !== undefined);
