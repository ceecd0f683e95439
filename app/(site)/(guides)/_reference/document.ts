import { EVENTS_TAG } from '#lib/api/openapi-deployment.ts';
import { openapiDocument } from '#lib/api/openapi-document.ts';
import type { OpenapiDocument, OpenapiOperation, Schemas } from '#lib/api/openapi-schema.ts';
import { once } from '#lib/base/once.ts';

export const REFERENCE = '/reference';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation or an event, as a page of its own. */
export interface Entry {
  id: string;
  method: string;
  path: string;
  /** The second path of the same resource. */
  alias: string | null;
  tag: string;
  operation: OpenapiOperation;
}

/** A part of the reference: a tag of the document. */
export interface Part {
  name: string;
  description: string;
  entries: readonly Entry[];
}

const ALIAS = /ByAlias$/;

function entriesOf({ paths, webhooks }: OpenapiDocument): Entry[] {
  const all = Object.entries(paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const id = operation?.operationId ?? '';
      return operation === undefined ? [] : [{ id, method, path, tag: operation.tags?.[0] ?? '', operation }];
    }),
  );
  const aliasOf = (of: string) => all.find(({ id }) => id === `${of}ByAlias`)?.path ?? null;
  const operations = all.filter(({ id }) => !ALIAS.test(id)).map((one) => ({ ...one, alias: aliasOf(one.id) }));
  const events = Object.entries(webhooks ?? {}).flatMap(([type, item]) =>
    'post' in item && item.post !== undefined
      ? [{ id: type, method: 'event', path: type, alias: null, tag: EVENTS_TAG, operation: item.post }]
      : [],
  );
  return [...operations, ...events];
}

interface Reference {
  document: OpenapiDocument;
  schemas: Schemas;
  parts: readonly Part[];
  entries: ReadonlyMap<string, Entry>;
}

/** The OpenAPI document of this deployment in the order in which it is read. */
export const reference = once(async (): Promise<Reference> => {
  const document = await openapiDocument();
  const entries = entriesOf(document);
  const parts = (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    entries: entries.filter(({ tag }) => tag === name),
  }));
  return {
    document,
    schemas: (document.components?.schemas ?? {}) as Schemas,
    parts,
    entries: new Map(entries.map((entry) => [entry.id, entry])),
  };
});

/** The address of an operation's or event's page; an alias has that of its operation. */
export const entryUrl = (id: string): string => `${REFERENCE}/${id.replace(ALIAS, '')}`;
