import type { JsonSchema, Schemas } from '#lib/api/openapi-schema.ts';

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

/** An operation as the document tells it. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: JsonSchema | null;
  bodyExample: unknown;
  /** Kinds of credentials that it takes; `public` for none. */
  access: string[];
  /** Media types by declared status. */
  statuses: Readonly<Record<string, string[]>>;
}

interface RawOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> };
  security: Record<string, string[]>[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}

export interface Document {
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Schemas };
}

/** Every operation of a document, under every path form. */
export const operationsOf = (document: Document): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, raw]) => ({
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      parameters: raw.parameters ?? [],
      body: raw.requestBody?.content['application/json']?.schema ?? null,
      bodyExample: raw.requestBody?.content['application/json']?.example,
      access: raw.security.map((requirement) => Object.keys(requirement)[0] ?? 'public'),
      statuses: Object.fromEntries(
        Object.entries(raw.responses).map(([status, response]) => [status, Object.keys(response.content ?? {})]),
      ),
    })),
  );
