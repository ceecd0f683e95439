/** Of a body that has this field; named under `properties` too, because linters ask for it inside a `not`. */
const given = (field: string) => ({ properties: { [field]: {} }, required: [field] });

/** JSON Schema's `anyOf` for a body that needs at least one of these fields. */
export const anyGiven = (...fields: readonly string[]) => fields.map((field) => ({ required: [field] }));

/** JSON Schema's `oneOf` for a body that has all fields of one group and none of another. */
export const exactlyOne = (...groups: readonly (readonly string[])[]) =>
  groups.map((group) => {
    const others = groups.filter((other) => other !== group).flat();
    return { required: [...group], not: others.length === 1 ? given(others[0] ?? '') : { anyOf: others.map(given) } };
  });
