import { beforeAll, describe, expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { problemCodesOf } from '#lib/api/openapi-operation.ts';
import type { ObjectSchema, OpenapiDocument } from '#lib/api/openapi-schema.ts';
import { applyEnv } from '#lib/base/env.ts';
import { ERROR_STATUS } from '#lib/base/errors.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { EVENT_ENVELOPES } from '#lib/events/envelope-schemas.ts';
import { testEnv } from '#tests/support/env.ts';

let document: OpenapiDocument;
beforeAll(() => {
  applyEnv(testEnv());
  document = foldOpenapi(CONTRACTS);
});

const operationsOf = (doc: OpenapiDocument) =>
  Object.values(doc.paths ?? {}).flatMap((item) =>
    [item.get, item.post, item.patch, item.put, item.delete].filter((one) => one !== undefined),
  );

/** Every `$ref` anywhere in a value. */
function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : refsIn(child),
  );
}

describe('the OpenAPI document', () => {
  test('gives every operation an id of its own', () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('holds every reference that it makes', () => {
    expect(refsIn(document).length).toBeGreaterThan(0);
    for (const ref of refsIn(document)) {
      const [, ...steps] = ref.split('/');
      const found = steps.reduce<unknown>((position, step) => Object(position)[step], document);
      expect(found, ref).toBeDefined();
    }
  });

  test('names every path parameter of every path', () => {
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();
      for (const operation of operationsOf({ ...document, paths: { [path]: item } })) {
        const declared = (operation.parameters ?? []).flatMap((one) =>
          'in' in one && one.in === 'path' ? [one.name] : [],
        );
        expect(declared.toSorted(), `${path} ${operation.operationId}`).toEqual(inPath);
      }
    }
  });

  test('lists for every operation each problem code under its own status', () => {
    for (const contract of CONTRACTS) {
      const item = document.paths?.[contract.path];
      const operation = item?.[contract.method.toLowerCase() as 'get'];
      for (const code of problemCodesOf(contract)) {
        const response = operation?.responses?.[ERROR_STATUS[code]];
        expect(JSON.stringify(response), `${contract.id} ${code}`).toContain(`"${code}"`);
      }
    }
  });

  test('shows who may call: guarded operations name a security scheme that exists', () => {
    const schemes = Object.keys(document.components?.securitySchemes ?? {});
    for (const contract of CONTRACTS) {
      const security = document.paths?.[contract.path]?.[contract.method.toLowerCase() as 'get']?.security ?? [];
      expect(security).toHaveLength(contract.access.length);
      for (const requirement of security) for (const name of Object.keys(requirement)) expect(schemes).toContain(name);
    }
  });

  test('gives every stream the limits of an export, and the answer of one too many', () => {
    for (const contract of CONTRACTS.filter(({ mediaTypes }) => mediaTypes !== undefined)) {
      expect({ id: contract.id, rateLimit: contract.rateLimit }).toEqual({ id: contract.id, rateLimit: 'export' });
      const responses = document.paths?.[contract.path]?.get?.responses;
      expect(responses?.['503']).toMatchObject({ headers: { 'Retry-After': expect.anything() } });
    }
  });

  test('says of every answer that may be kept how to ask whether it is still good, and of no other', () => {
    for (const contract of CONTRACTS) {
      const operation = document.paths?.[contract.path]?.[contract.method.toLowerCase() as 'get'];
      const hasTag =
        contract.cacheControl !== undefined &&
        (contract.mediaTypes === undefined || contract.streamHeaders?.includes('ETag') === true);
      const [status = ''] = Object.keys(contract.responses);
      const asked = (operation?.parameters ?? []).flatMap((one) => ('name' in one ? [one.name] : []));
      const answered = Object.keys(Object(operation?.responses?.[status]).headers ?? {});
      expect({
        id: contract.id,
        notModified: operation?.responses?.['304'] !== undefined,
        ifNoneMatch: asked.includes('If-None-Match'),
        etag: answered.includes('ETag'),
        cacheControl: answered.includes('Cache-Control'),
      }).toEqual({ id: contract.id, notModified: hasTag, ifNoneMatch: hasTag, etag: hasTag, cacheControl: true });
    }
  });

  test('names the headers that only exports have', () => {
    const { headers } = Object(document.paths?.['/api/projects/{id}/allocations']?.get?.responses?.['200']);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-As-Of-Ledger', 'Content-Disposition']));
  });

  test('is plain JSON: nothing is lost on the wire', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

/** Classes that a generated one would hide or be taken for: of Java, C#, PHP, Python and JavaScript. */
const BUILT_IN = [
  'Array',
  'Date',
  'Error',
  'Exception',
  'Function',
  'List',
  'Map',
  'Object',
  'Record',
  'String',
  'Type',
];

/** Every schema anywhere in a value whose constants are numbers. */
function numericSchemas(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const { const: constant, enum: values = [constant] } = value as { const?: unknown; enum?: unknown[] };
  const isOne = Array.isArray(values) && values.some((one) => typeof one === 'number');
  return [...(isOne ? [value] : []), ...Object.values(value).flatMap(numericSchemas)];
}

describe('what generators make code of', () => {
  test('has no schema with the name of a built-in class', () => {
    expect(Object.keys(document.components?.schemas ?? {}).filter((name) => BUILT_IN.includes(name))).toEqual([]);
  });

  test('gives numbers that are fixed as one enum of integers: as constants some write code that does not compile', () => {
    const found = numericSchemas(document.components?.schemas);
    expect(found).toContainEqual({ type: 'integer', enum: [25, 50, 75] });
    for (const schema of found) expect(schema).toMatchObject({ type: 'integer', enum: expect.anything() });
  });
});

/** Every schema anywhere in a value that `holds` is true of. */
function schemasIn(value: unknown, holds: (schema: ObjectSchema) => boolean): ObjectSchema[] {
  if (typeof value !== 'object' || value === null) return [];
  // No generator reads those of x-events.
  const inner = Object.entries(value).flatMap(([key, one]) => (key === 'x-events' ? [] : schemasIn(one, holds)));
  return [...(holds(value) ? [value] : []), ...inner];
}

describe('what generated code reads', () => {
  test('has the format of every integer that may go beyond 32 bits, such as a destination tag', () => {
    const large = schemasIn(
      document,
      ({ type, maximum = 0 }) => String(type).includes('integer') && maximum >= 2 ** 31,
    );
    expect(large.length).toBeGreaterThan(50);
    expect(large.filter(({ format }) => format !== 'int64')).toEqual([]);
  });

  test('has times without a pattern, which code that holds a time as one writes in another form', () => {
    const times = schemasIn(document.components?.schemas, ({ format }) => format === 'date-time');
    expect(times.length).toBeGreaterThan(20);
    expect(times.filter(({ pattern }) => pattern !== undefined)).toEqual([]);
  });
});

describe('its webhooks section', () => {
  test('has every event type of the catalogue and no other', () => {
    expect(Object.keys(document.webhooks ?? {}).toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  test.each(EVENT_TYPES)('gives an example of %s that its own schema accepts', (type) => {
    const body = document.webhooks?.[type]?.post?.requestBody;
    const media = body !== undefined && 'content' in body ? body.content['application/json'] : undefined;
    const example: unknown = media !== undefined && 'example' in media ? media.example : undefined;
    expect(EVENT_ENVELOPES[type].parse(example)).toEqual(example);
  });
});
