import { componentName, type JsonSchema, type ObjectSchema, resolveSchema, type Schemas } from '../openapi-schema.ts';
import { candidatesFor, EXAMPLE_TIME, exampleId } from './fields.ts';

/** Where a value stands: the name of its field, and the component, list or collection that it belongs to. */
interface Place {
  name: string;
  owner: string;
}

function admitsType(schema: ObjectSchema, value: unknown): boolean {
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return false;
  const own =
    value === null ? 'null' : Number.isInteger(value) ? 'integer' : Array.isArray(value) ? 'array' : typeof value;
  return types.includes(own) || (own === 'integer' && types.includes('number'));
}

/** Whether a plain value fits; of composed schemas, whether it fits any part. */
function admits(schema: JsonSchema, value: unknown, schemas: Schemas): boolean {
  const own = resolveSchema(schema, schemas);
  const parts = own.anyOf ?? own.oneOf;
  if (parts !== undefined) return parts.some((part) => admits(part, value, schemas));
  if (own.const !== undefined) return own.const === value;
  if (own.enum !== undefined) return own.enum.includes(value);
  if (!admitsType(own, value)) return false;
  if (typeof value === 'number') return value >= (own.minimum ?? -Infinity) && value <= (own.maximum ?? Infinity);
  if (typeof value !== 'string') return value === null;
  if (value.length > (own.maxLength ?? Infinity) || value.length < (own.minLength ?? 0)) return false;
  return own.format === undefined && (own.pattern === undefined || new RegExp(own.pattern, 'u').test(value));
}

function textFor(schema: ObjectSchema): string {
  if (schema.format === 'date-time') return EXAMPLE_TIME;
  const prefix = /^\^([a-z]+)_/.exec(schema.pattern ?? '')?.[1];
  return prefix === undefined ? 'text' : exampleId(prefix);
}

/**
 * An example of a schema: what it shows itself, else by its fields' names, else the least that its type admits. The same
 * for the same schema, always.
 */
export function deriveExample(schema: JsonSchema, schemas: Schemas, place: Place): unknown {
  const own = resolveSchema(schema, schemas);
  const component = componentName(schema);
  const at = component === null ? place : { ...place, owner: component };
  if (own.example !== undefined) return own.example;
  if (own.examples?.[0] !== undefined) return own.examples[0];
  for (const value of candidatesFor(at.name, at.owner)) if (admits(own, value, schemas)) return value;
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return own.enum[0];
  if (own.default !== undefined) return own.default;
  const part = (own.anyOf ?? own.oneOf)?.find((one) => resolveSchema(one, schemas).type !== 'null');
  if (part !== undefined) return deriveExample(part, schemas, at);
  if (own.allOf !== undefined) {
    return Object.assign({}, ...own.allOf.map((one) => deriveExample(one, schemas, at)));
  }
  return deriveByType(own, schemas, at);
}

function deriveByType(schema: ObjectSchema, schemas: Schemas, at: Place): unknown {
  const [type] = [schema.type ?? 'object'].flat();
  switch (type) {
    case 'object':
      return deriveObject(schema, schemas, at);
    case 'array':
      return schema.items !== undefined
        ? [deriveExample(schema.items, schemas, { name: at.name, owner: at.name })]
        : [];
    case 'string':
      return textFor(schema);
    case 'integer':
    case 'number':
      return Math.max(0, schema.minimum ?? 0);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function deriveObject(schema: ObjectSchema, schemas: Schemas, at: Place): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0 && typeof schema.additionalProperties === 'object') {
    return { key: deriveExample(schema.additionalProperties, schemas, { name: 'key', owner: at.name }) };
  }
  return Object.fromEntries(
    fields.map(([name, field]) => [name, deriveExample(field, schemas, { name, owner: at.owner })]),
  );
}
