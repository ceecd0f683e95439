import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Who may call: several kinds mean any one of them. `public` needs no credential. */
export type Access =
  | { kind: 'public' }
  /** Without a scope any key will do. */
  | { kind: 'api_key'; scope: Scope | null }
  /** A session of the webhook portal, which opens nothing that does not name it. */
  | { kind: 'portal'; scope: Scope }
  /** A member of a tenant who signed in, with at least this role. */
  | { kind: 'member'; role: MemberRole }
  | { kind: 'scheduler' }
  | { kind: 'administrator'; role: AdminRole }
  | { kind: 'queue' };

export const SCOPES = ['webhooks:read', 'webhooks:write'] as const;
export type Scope = (typeof SCOPES)[number];
export const ADMIN_ROLES = ['read_only', 'operator'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];
/** Each may do what those before it may. */
export const MEMBER_ROLES = ['viewer', 'editor', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Rate limit classes; the numbers stand in lib/api/rate-limit.ts. */
export type RateLimitClass = 'read' | 'export' | 'stream' | 'write' | 'create_key' | 'sign_in' | 'chat' | 'internal';

/** `ETag`: the same question may be asked again with If-None-Match. */
type StreamHeader = 'ETag' | 'X-As-Of-Ledger' | 'Content-Disposition';

export interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  /** Operation id in the OpenAPI document, camelCase. */
  id: string;
  method: Method;
  /** Path with `{name}` parameters, as documented. */
  path: string;
  tag:
    | 'system'
    | 'projects'
    | 'investments'
    | 'platform-id'
    | 'api-keys'
    | 'webhooks'
    | 'owners'
    | 'assistant'
    | 'internal'
    | 'admin';
  summary: string;
  access: readonly [Access, ...Access[]];
  rateLimit: RateLimitClass;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Largest body that is read; 64 KiB unless said otherwise (lib/api/parse-request.ts). */
  maxBodyBytes?: number;
  /**
   * Answer schemas by status; the lowest is the usual one, any other is answered by a Reply. Lazy, because no answer in production
   * waits for them: they are for the document, tests and the sandbox.
   */
  responses: Record<number, z.ZodType>;
  /** The answer is a stream of rows in one of these forms, the first one where the client wants none; its schema is that of a row. */
  mediaTypes?: readonly [string, ...string[]];
  /**
   * The answer also comes as server-sent events, for a client that prefers `text/event-stream`: the schema of each event's
   * data by its name. A failure after the first one is an `error` event with the problem.
   */
  events?: Readonly<Record<string, z.ZodType>>;
  /** The answer is a text of this media type, made whole before it is sent; its schema is that of the text. With `events`, it comes as those alone. */
  textType?: string;
  /** The stream of events goes on after the one that a `Last-Event-ID` names. */
  lastEventId?: true;
  /** Headers that the stream carries beside those of every answer. */
  streamHeaders?: readonly StreamHeader[];
  /** Codes beyond those that every route can answer with. */
  errors?: readonly ErrorCode[];
  /** A second documented path form that reaches the same handler by rewrite. */
  alias?: string;
  /** A POST that keeps its answer under an `Idempotency-Key` (lib/api/answer-once.ts). */
  idempotent?: true;
  /** Success answers carry this `Cache-Control`; default `no-store`. */
  cacheControl?: string;
}

/** The forms of an answer that may come as events. */
export const EVENT_MEDIA_TYPES = ['application/json', 'text/event-stream'] as const;
type EventMediaType = (typeof EVENT_MEDIA_TYPES)[number];

/** What a verb receives: each part parsed by its schema. */
export interface Input<C extends Contract> {
  params: C['params'] extends z.ZodType ? z.output<C['params']> : Record<string, never>;
  query: C['query'] extends z.ZodType ? z.output<C['query']> : Record<string, never>;
  body: C['body'] extends z.ZodType ? z.output<C['body']> : undefined;
  /** The caller's address (lib/api/client-ip.ts), for limits of the verb's own. */
  caller: string;
  /** The one of the contract's media types that the client prefers by its Accept header. */
  mediaType: C['mediaTypes'] extends readonly (infer Type)[]
    ? Type
    : C['events'] extends Readonly<Record<string, z.ZodType>>
      ? EventMediaType
      : undefined;
  /** The client's `Last-Event-ID`, where the contract reads it; null without one. */
  lastEventId: string | null;
  /** Aborted when the client goes away before it has its answer. */
  signal: AbortSignal;
}

/** An `Idempotency-Key`: 1 to 255 characters of visible ASCII. */
export const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** Declares a contract; keeps the literal types so that handler and client derive from it. */
export const defineContract = <const C extends Contract>(contract: C): C => contract;

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
export const anyPresent = (...fields: readonly string[]) =>
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
