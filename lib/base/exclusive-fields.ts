import type { z } from 'zod';

type ObjectSchema = Extract<z.core.JSONSchema.BaseSchema, object>;

/** What one alternative of a body asks for beyond the body's own fields. */
interface Alternative {
  required?: readonly string[];
  without?: readonly string[];
  /** Fields that are narrower in it. */
  properties?: ObjectSchema['properties'];
}

/**
 * Writes the JSON Schema of a body as alternatives, each of them whole. With the fields beside the alternatives, generators
 * of clients make a type of it that takes anything.
 */
export const asAlternatives = (keyword: 'anyOf' | 'oneOf', alternatives: readonly Alternative[]) => ({
  override: ({ jsonSchema }: { jsonSchema: ObjectSchema }): void => {
    const { properties = {}, required = [], additionalProperties = true } = jsonSchema;
    for (const own of ['type', 'properties', 'required', 'additionalProperties']) delete jsonSchema[own];
    jsonSchema[keyword] = alternatives.map(({ required: further = [], without = [], properties: narrowed = {} }) => ({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries({ ...properties, ...narrowed }).filter(([field]) => !without.includes(field)),
      ),
      required: [...required, ...further],
      additionalProperties,
    }));
  },
});

/** For the `meta` of a body that needs at least one of these fields. */
export const anyGiven = (...fields: readonly string[]) =>
  asAlternatives(
    'anyOf',
    fields.map((field) => ({ required: [field] })),
  );

/** For the `meta` of a body that has all fields of one group and none of another. */
export const exactlyOne = (...groups: readonly (readonly string[])[]) =>
  asAlternatives(
    'oneOf',
    groups.map((group) => ({ required: group, without: groups.filter((other) => other !== group).flat() })),
  );
