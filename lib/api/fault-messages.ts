import { z } from 'zod';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  never: 'left out',
};

const FORM_NAMES: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 time',
  url: 'a URL',
};

/** The bounds that every whole number has: no field chose them. */
const isChosen = (bound: number | null): boolean => bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function numberName({ isInt, minValue, maxValue }: z.ZodNumber): string {
  const name = isInt ? 'a whole number' : 'a number';
  return isChosen(minValue) && isChosen(maxValue) ? `${name} from ${minValue} to ${maxValue}` : name;
}

const typeName = ({ inst, expected }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string =>
  inst instanceof z.ZodNumber ? numberName(inst) : (TYPE_NAMES[expected] ?? `of the type ${expected}`);

const oneOf = (values: readonly z.core.util.Primitive[]): string => {
  const shown = values.map((value) => JSON.stringify(value));
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter(Boolean).join(' or ');
};

function boundMessage(origin: string, bound: number | bigint, side: 'least' | 'most'): string {
  if (typeof bound === 'number' && !isChosen(bound)) return 'must be a whole number';
  if (origin === 'array' || origin === 'set') return `must hold at ${side} ${bound}`;
  if (origin !== 'string') return `must be at ${side} ${bound}`;
  return side === 'least' && Number(bound) === 1 ? 'must not be empty' : `must be at ${side} ${bound} characters`;
}

/** What is wrong with a value where its schema does not say it in words of its own; it ends a sentence that begins with the field's name. */
export const faultMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeName(issue)}`;
    case 'too_small':
      return boundMessage(issue.origin, issue.minimum, 'least');
    case 'too_big':
      return boundMessage(issue.origin, issue.maximum, 'most');
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'invalid_format':
      if (FORM_NAMES[issue.format] !== undefined) return `must be ${FORM_NAMES[issue.format]}`;
      return issue.pattern === undefined ? 'has an invalid format' : `must match the pattern ${issue.pattern}`;
    case 'invalid_union':
      return !Array.isArray(issue.options) ? 'is not valid' : `must be ${oneOf(issue.options)}`;
    default:
      return 'is not valid';
  }
};
