import type * as z from 'zod';

type Test = (value: unknown) => boolean;

/** What an object may hold beside the fields of its schema. */
interface Options {
  otherFields: 'refused' | 'ignored';
}

const never: Test = () => false;

/**
 * A quick test for values that a schema takes without changing them, made from the schema's own definition: feeds and exports
 * have hundreds of thousands of lines, and nearly all of them fit. It is true only of a value that the schema takes; false
 * decides nothing, and the schema must be asked. A kind of schema or check that it does not know is never true.
 *
 * With `otherFields: 'refused'` the value is what the schema would give, with its fields in the schema's order. With `'ignored'` it may hold
 * more fields, which the schema would leave out.
 */
export function quickTest<Schema extends z.ZodType>(
  schema: Schema,
  options: Options,
): (value: unknown) => value is z.output<Schema> {
  const test = testOf(schema, options);
  return (value): value is z.output<Schema> => test(value);
}

function testOf(schema: z.core.$ZodType, options: Options): Test {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'lazy') return testOf(def.getter(), options);
  if (def.type === 'string') return stringTest(def);
  if (def.type === 'number') return isSafeInteger(def) ? Number.isSafeInteger : never;
  if ((def.checks ?? []).length > 0) return never;
  if (def.type === 'unknown') return (value) => value !== undefined;
  if (def.type === 'nullable') return orElse(null, testOf(def.innerType, options));
  if (def.type === 'optional' && schema._zod.traits.has('$ZodOptional') && !schema._zod.traits.has('$ZodExactOptional'))
    return orElse(undefined, testOf(def.innerType, options));
  if (def.type === 'literal') return oneOf(def.values);
  if (def.type === 'enum') return oneOf(Object.values(def.entries));
  if (def.type === 'array') return arrayTest(def.element, options);
  return def.type === 'object' && def.catchall === undefined ? objectTest(def.shape, options) : never;
}

const orElse =
  (other: null | undefined, inner: Test): Test =>
  (value) =>
    value === other || inner(value);

const oneOf =
  (values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value);

const isSafeInteger = (def: z.core.$ZodNumberDef & Partial<z.core.$ZodNumberFormatDef>): boolean =>
  def.format === 'safeint' && def.coerce !== true && (def.checks ?? []).length === 0;

/** Texts, with one pattern at most. */
function stringTest(def: z.core.$ZodStringDef & Partial<z.core.$ZodStringFormatDef>): Test {
  if (def.coerce === true) return never;
  const checks = (def.checks ?? []).map((each) => each._zod.def as Partial<z.core.$ZodStringFormatDef>);
  const formats = def.format === undefined ? checks : [def, ...checks];
  const [only] = formats;
  if (only === undefined) return (value) => typeof value === 'string';
  const { format, pattern } = only;
  const isPattern = format === 'regex' || format === 'datetime';
  // A pattern with a state of its own does not answer alike each time.
  if (formats.length > 1 || !isPattern || pattern === undefined || pattern.global || pattern.sticky) return never;
  return (value) => typeof value === 'string' && pattern.test(value);
}

function arrayTest(element: z.core.$ZodType, options: Options): Test {
  if ((element as z.core.$ZodTypes)._zod.def.type === 'unknown') return Array.isArray;
  const test = testOf(element, options);
  return (value) => Array.isArray(value) && value.every(test);
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectTest(shape: z.core.$ZodShape, options: Options): Test {
  const keys = Object.keys(shape);
  const fields = Object.entries(shape).map(([key, schema]) => ({ key, test: testOf(schema, options) }));
  if (options.otherFields === 'ignored') {
    return (value) => isFields(value) && fields.every(({ key, test }) => test(value[key]));
  }
  return (value) => {
    if (!isFields(value)) return false;
    let next = 0;
    for (const key in value) {
      if (key !== keys[next] || fields[next]?.test(value[key]) !== true) return false;
      next += 1;
    }
    return next === keys.length;
  };
}
