import { createHash } from 'node:crypto';
import path from 'node:path';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { componentName, type JsonSchema, type ObjectSchema } from '#lib/api/openapi-schema.ts';
import type { Contract } from '#lib/base/contract.ts';

const PACKAGE = path.resolve(import.meta.dirname, '../../../lib/client-python/src/tranche_client');
/** Written by `npx tranche generate`. */
export const OPERATIONS_FILE = path.join(PACKAGE, 'operations.py');
/** Written by lib/client-python/generate, which needs Python. */
export const MODELS_FILE = path.join(PACKAGE, 'models.py');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** The union of all events. */
const EVENT = 'WebhookEvent';
const REF = '#/components/schemas/';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: ObjectSchema;
}
interface Operation {
  operationId: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}
interface Call {
  name: string;
  method: string;
  path: string;
  summary: string;
  params: Parameter[];
  body: string | null;
  idempotent: boolean;
  /** Python type of the answer by its status; `None` without a body. */
  answers: Map<string, string>;
  /** Of a list: its field and the type of a row. */
  rows: { field: string; type: string } | null;
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const argument = (name: string): string => (name === 'from' ? 'from_' : name);

/** What only the platform checks is left out, so that a client does not refuse what a later platform takes or gives. */
const CHECKS = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'propertyNames',
  'example',
  'examples',
  'default',
]);

/** A schema as models need it. In answers an enum admits other text too: a later platform may have more values. */
function forModels(schema: JsonSchema, isAnswer: boolean): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (CHECKS.has(key) || (key === 'additionalProperties' && value === false)) return [];
    if (key === 'format' && value !== 'date-time') return [];
    if (key === 'properties') {
      const fields = Object.entries(value as Record<string, JsonSchema>);
      return [[key, Object.fromEntries(fields.map(([name, one]) => [name, forModels(one, isAnswer)]))]];
    }
    if (key === 'anyOf' || key === 'oneOf' || key === 'allOf' || key === 'prefixItems') {
      return [[key, (value as JsonSchema[]).map((one) => forModels(one, isAnswer))]];
    }
    if (key === 'items' || key === 'additionalProperties') return [[key, forModels(value as JsonSchema, isAnswer)]];
    return [[key, value]];
  });
  const { description, ...model } = Object.fromEntries(entries) as ObjectSchema;
  const described = description === undefined ? {} : { description };
  // Alternatives that differ by what the platform checks are one text.
  if (model.anyOf?.every((one) => JSON.stringify(one) === '{"type":"string"}')) return { ...described, type: 'string' };
  if (isAnswer && model.type === 'string' && model.enum !== undefined && model.enum.length > 1) {
    return { ...described, anyOf: [model, { type: 'string' }] };
  }
  return { ...described, ...model };
}

/** The models, each named after its operation, and the calls that use them. */
function fold(): { schemas: Record<string, JsonSchema>; calls: Call[] } {
  const withoutAlias = ({ alias: _, ...contract }: Contract): Contract => contract;
  const document = foldOpenapi(CONTRACTS.map(withoutAlias), { version: '0', serverUrl: '/' });
  const { components, paths } = structuredClone(document) as unknown as {
    components: { schemas: Record<string, ObjectSchema> };
    paths: Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>;
  };
  const schemas: Record<string, JsonSchema> = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, forModels(schema, true)]),
  );
  const calls: Call[] = [];

  /** The Python type of a schema, which gets a name of its own unless it has one. */
  const named = (name: string, schema: JsonSchema, isAnswer: boolean): string => {
    const known = componentName(schema);
    if (known !== null) {
      const component = components.schemas[known];
      // The generator gives no class to a union.
      return component === undefined || component.properties !== undefined ? known : named(known, component, isAnswer);
    }
    const { anyOf, oneOf, properties } = schema as ObjectSchema;
    const variants = anyOf ?? oneOf;
    if (variants?.every((one) => componentName(one)?.endsWith('Event'))) return EVENT;
    if (variants !== undefined) {
      const names = variants.map((one, index) => named(`${name}${index + 1}`, one, isAnswer));
      schemas[name] = { anyOf: names.map((one) => ({ $ref: `${REF}${one}` })) };
      return names.join(' | ');
    }
    if (properties === undefined) return 'dict[str, Any]';
    schemas[name] = forModels(schema, isAnswer);
    return name;
  };

  for (const [url, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const { operationId: id, responses, parameters = [], requestBody, summary = '' } = operation;
      const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      // Exports and streams are no values: a program reads them as they come.
      if (good.some(([, { content }]) => content !== undefined && content['application/json'] === undefined)) continue;
      let rows: Call['rows'] = null;
      const shapes = new Map<string, string>();
      const answers = good.map(([status, { content }]): [string, string] => {
        const schema = content?.['application/json']?.schema as ObjectSchema | undefined;
        if (schema === undefined) return [status, 'None'];
        const lists = Object.entries(schema.properties ?? {}).filter(
          ([, one]) => typeof one === 'object' && one.type === 'array',
        );
        const [list] = lists;
        if (schema.properties?.next_cursor !== undefined && list !== undefined && lists.length === 1) {
          const [field, array] = list as [string, ObjectSchema];
          const type = named(`${pascal(id)}Row`, array.items ?? {}, true);
          // By its name in the page, too.
          if (componentName(array.items ?? {}) === null && schemas[type] !== undefined)
            array.items = { $ref: `${REF}${type}` };
          rows = { field, type };
        }
        const shape = JSON.stringify(forModels(schema, true));
        const name = shapes.get(shape) ?? `${pascal(id)}Answer${shapes.size === 0 ? '' : status}`;
        shapes.set(shape, name);
        return [status, named(name, schema, true)];
      });
      const body = requestBody?.content['application/json']?.schema;
      const contract = CONTRACTS.find((one) => one.id === id);
      calls.push({
        name: snake(id),
        method: method.toUpperCase(),
        path: url,
        summary,
        params: parameters.filter((one) => one.in !== 'header'),
        body: body === undefined ? null : named(`${pascal(id)}Body`, body, false),
        idempotent: method === 'post' && contract?.idempotent === true,
        answers: new Map(answers),
        rows,
      });
    }
  }
  return { schemas, calls };
}

/** What the generator of the models reads: schemas alone, each with the name that its class has. */
export function modelSchemas(): string {
  const { schemas } = fold();
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Tranche', version: '0' },
    paths: {},
    components: { schemas },
  });
}

/** Stands in models.py, so that a test sees whether it is of this document. */
export const modelsDigest = (): string => createHash('sha256').update(modelSchemas()).digest('hex');

const SCALARS: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' };

const typeOf = ({ schema }: Parameter): string =>
  schema.enum === undefined
    ? schema.format === 'date-time'
      ? 'datetime | str'
      : (SCALARS[String(schema.type)] ?? 'str')
    : `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`;

/** The methods of one call, for a client that waits in its thread or one that awaits. */
function methodsOf(call: Call, isAsync: boolean): string {
  const { name, method, params, body, idempotent, answers, rows } = call;
  const inPath = params.filter((one) => one.in === 'path');
  const query = params.filter((one) => one.in === 'query');
  const types = [...new Set(answers.values())];
  const signature = [
    'self',
    ...inPath.map((one) => `${argument(one.name)}: ${typeOf(one)}`),
    ...(body === null ? [] : [`body: ${body}`]),
    ...(query.length > 0 || idempotent ? ['*'] : []),
    ...query.map((one) => `${argument(one.name)}: ${typeOf(one)}${one.required === true ? '' : ' | None = None'}`),
    ...(idempotent ? ['idempotency_key: str | None = None'] : []),
  ];
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, one: string) => `{_part(${argument(one)})}`);
  const given = [
    `"${method}"`,
    `${inPath.length > 0 ? 'f' : ''}"${path}"`,
    `{${[...answers].map(([status, type]) => `${status}: ${type}`).join(', ')}}`,
    ...(query.length > 0 ? [`query={${query.map((one) => `"${one.name}": ${argument(one.name)}`).join(', ')}}`] : []),
    ...(body === null ? [] : ['body=body']),
    ...(idempotent ? ['idempotent=True', 'idempotency_key=idempotency_key'] : []),
  ];
  const [def, wait, iterator] = isAsync ? ['async def', 'await ', 'AsyncIterator'] : ['def', '', 'Iterator'];
  const lines = [
    `    ${def} ${name}(${signature.join(', ')}) -> ${types.join(' | ')}:`,
    ...(call.summary === '' ? [] : [`        """${call.summary.replace(/\.$/, '')}."""`]),
    `        ${types.join() === 'None' ? '' : 'return '}${wait}self._call(${given.join(', ')})`,
  ];
  if (rows !== null && query.some((one) => one.name === 'cursor')) {
    const passed = [
      ...inPath.map((one) => argument(one.name)),
      ...(body === null ? [] : ['body']),
      ...query.map((one) => `${argument(one.name)}=${argument(one.name)}`),
    ];
    const end = answers.get('200') !== undefined && name === 'list_events' ? ' or not page.has_more' : '';
    lines.push(
      '',
      `    ${def} ${name.replace('list_', 'all_')}(${signature.join(', ')}) -> ${iterator}[${rows.type}]:`,
      `        """Each row of ${name}, page by page, as you take them."""`,
      '        while True:',
      `            page = ${wait}self.${name}(${passed.join(', ')})`,
      ...(isAsync
        ? [`            for row in page.${rows.field}:`, '                yield row']
        : [`            yield from page.${rows.field}`]),
      '            cursor = page.next_cursor',
      `            if cursor is None${end}:`,
      '                return',
    );
  }
  return lines.join('\n');
}

/** Source of the calls, one method an operation. */
export function pythonOperations(): string {
  const { schemas, calls } = fold();
  const events = Object.keys(schemas).filter((name) => name.endsWith('Event'));
  const source = (isAsync: boolean) => calls.map((call) => methodsOf(call, isAsync)).join('\n\n');
  const used = new Set(`${source(false).replaceAll(/""".*"""/g, '')} ${events.join(' ')}`.match(/\w+/g));
  const models = Object.entries(schemas)
    .filter(([name, schema]) => used.has(name) && typeof schema === 'object' && schema.properties !== undefined)
    .map(([name]) => name)
    .toSorted((one, other) => (one < other ? -1 : 1));
  return `# Made from the OpenAPI document: npx tranche generate. Not for changes by hand.
# mypy: disable-error-code=no-any-return
from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, Field

from .models import (
${models.map((name) => `    ${name},`).join('\n')}
)

${EVENT} = Annotated[
    ${events.join('\n    | ')},
    Field(discriminator="event_type"),
]
"""What a webhook receives; event_type tells which."""


def _part(value: str) -> str:
    return quote(value, safe="")


class Operations:
    @abstractmethod
    def _call(self, method: str, path: str, answers: Mapping[int, Any], *, query: Mapping[str, Any] | None = None,
              body: BaseModel | None = None, idempotent: bool = False, idempotency_key: str | None = None) -> Any: ...

${source(false)}


class AsyncOperations:
    @abstractmethod
    async def _call(self, method: str, path: str, answers: Mapping[int, Any], *, query: Mapping[str, Any] | None = None,
                    body: BaseModel | None = None, idempotent: bool = False, idempotency_key: str | None = None) -> Any: ...

${source(true)}
`;
}
