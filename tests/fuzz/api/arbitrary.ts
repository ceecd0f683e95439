import fc, { type Arbitrary } from 'fast-check';
import { type JsonSchema, type ObjectSchema, resolveSchema, type Schemas } from '#lib/api/openapi-schema.ts';

const SHORT = { maxLength: 8 };
/** A list of a thousand is as good as one of twelve, and slower. */
const MOST_ITEMS = 4;

function textFrom(schema: ObjectSchema): Arbitrary<string> {
  const { minLength = 0, maxLength = 60, format, pattern } = schema;
  if (format === 'date-time') {
    const from = new Date('2000-01-01T00:00:00Z');
    return fc
      .date({ min: from, max: new Date('2199-01-01T00:00:00Z'), noInvalidDate: true })
      .map((at) => at.toISOString());
  }
  const plain = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 60), unit: 'grapheme' });
  if (pattern === undefined) return plain;
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    // Look-aheads and Unicode classes are beyond the generator.
    return plain;
  }
}

function numberFrom({ type, minimum = -1000, maximum = 1_000_000 }: ObjectSchema): Arbitrary<number> {
  const [min, max] = [Math.max(minimum, Number.MIN_SAFE_INTEGER), Math.min(maximum, Number.MAX_SAFE_INTEGER)];
  return type === 'number' ? fc.double({ min, max, noNaN: true }) : fc.integer({ min, max });
}

function objectFrom(schema: ObjectSchema, schemas: Schemas): Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  const model = Object.fromEntries(fields.map(([name, field]) => [name, valueFrom(field, schemas)]));
  const known = fc.record(model, { requiredKeys: schema.required ?? [] });
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== 'object') return known;
  const further = fc.dictionary(fc.string(SHORT), valueFrom(additionalProperties, schemas), { maxKeys: 3 });
  return fc.tuple(further, known).map(([extra, own]) => ({ ...extra, ...own }));
}

function typedFrom(schema: ObjectSchema, schemas: Schemas): Arbitrary<unknown> {
  const [type = 'any', ...others] = [schema.type ?? (schema.properties === undefined ? 'any' : 'object')].flat();
  if (others.length > 0)
    return fc.oneof(...[type, ...others].map((one) => typedFrom({ ...schema, type: one }, schemas)));
  switch (type) {
    case 'string':
      return textFrom(schema);
    case 'integer':
    case 'number':
      return numberFrom({ ...schema, type });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { minItems = 0, maxItems = MOST_ITEMS, items = true } = schema;
      return fc.array(valueFrom(items, schemas), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + MOST_ITEMS),
      });
    }
    case 'object':
      return objectFrom(schema, schemas);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Values that a schema admits, its own examples often among them; what only a rule of the verb forbids may come too. */
export function valueFrom(schema: JsonSchema, schemas: Schemas): Arbitrary<unknown> {
  const own = resolveSchema(schema, schemas);
  if (own.const !== undefined) return fc.constant(own.const);
  if (own.enum !== undefined) return fc.constantFrom(...own.enum);
  const parts = own.anyOf ?? (own.properties === undefined ? own.oneOf : undefined);
  const generated =
    parts === undefined ? typedFrom(own, schemas) : fc.oneof(...parts.map((part) => valueFrom(part, schemas)));
  if (own.example === undefined) return generated;
  return fc.oneof({ weight: 2, arbitrary: fc.constant(own.example) }, { weight: 1, arbitrary: generated });
}
