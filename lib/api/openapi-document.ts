import type { createDocument } from 'zod-openapi';
import type { JsonSchema } from './openapi-schema.ts';

export type OpenapiDocument = ReturnType<typeof createDocument>;
type PathItem = NonNullable<OpenapiDocument['paths']>[string];
export type OpenapiOperation = NonNullable<PathItem['get']>;

/** The forms of one body. */
export type MediaTypes = Record<string, { schema?: JsonSchema; example?: unknown; examples?: Record<string, unknown> }>;

/** The operations of a path, in the order in which they are shown. */
export const operationsIn = ({ get, post, put, patch, delete: remove }: PathItem): OpenapiOperation[] =>
  [get, post, put, patch, remove].filter((one) => one !== undefined);
