import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { idPattern } from '#lib/base/ids.ts';
import { givenProjectId } from '#lib/webhooks/given-fields.ts';
import * as schemas from '#lib/webhooks/schemas.ts';
import { FRAME_ORIGIN } from './frame-origin.ts';

const SHORTEST_SECONDS = 60;
/** A day of work, and not the next one. */
const LONGEST_SECONDS = 43_200;
const USUAL_SECONDS = 3_600;
/** A link is opened as soon as it is made; what lies about any longer was not. */
export const OPEN_WITHIN_SECONDS = 300;
const MOST_ORIGINS = 10;
/** Entries of a link that are shown, the newest. */
export const MOST_ENTRIES = 100;

const linkId = z
  .string()
  .regex(idPattern('ptl'), 'must be the id of a portal link (ptl_…)')
  .meta({ description: 'Identifier of the link', example: 'ptl_4qUZk0r2bJ8sVd1mX7nTqL' });

const projectMeta = {
  description: 'Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant',
  example: null,
};
const originsMeta = {
  description:
    'Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may',
  example: ['https://dashboard.example.com'],
};

export const createPortalLinkBody = z.strictObject({
  read_only: z
    .boolean()
    .default(false)
    .meta({ description: 'The visitor sees webhooks and changes nothing', example: false }),
  project_id: givenProjectId.optional().meta(projectMeta),
  expires_in_seconds: z
    .int()
    .min(SHORTEST_SECONDS)
    .max(LONGEST_SECONDS)
    .default(USUAL_SECONDS)
    .meta({ description: 'Seconds from now until what the link opened ends', example: USUAL_SECONDS }),
  frame_origins: z
    .array(
      z
        .string()
        .max(255)
        .regex(
          FRAME_ORIGIN,
          'must be an origin in lower case, such as https://dashboard.example.com, without a path; http is for localhost only',
        ),
    )
    .max(MOST_ORIGINS)
    .transform((origins) => [...new Set(origins)])
    .default([])
    .meta(originsMeta),
});

const portalLink = z.lazy(() =>
  z.object({
    id: linkId,
    key_id: z.string().meta({ description: 'The API key that made it, and with which it ends' }),
    read_only: z.boolean().meta({ description: 'It changes nothing', example: false }),
    project_id: z.string().nullable().meta(projectMeta),
    frame_origins: z.array(z.string()).meta(originsMeta),
    created_at: schemas.instant,
    opens_until: schemas.instant.meta({ description: 'It can be opened once, before this time' }),
    opened_at: schemas.instant.nullable().meta({ description: 'When it was opened; null until then' }),
    expires_at: schemas.instant.meta({ description: 'When what it opened ends' }),
    ended_at: schemas.instant.nullable().meta({ description: 'When it was ended before its time; null otherwise' }),
  }),
);
export type PortalLink = z.output<typeof portalLink>;

const auditEntry = z.lazy(() =>
  z.object({
    action: z.enum(schemas.WEBHOOK_ACTS).meta({ description: 'What was done', example: 'webhook.update' }),
    webhook_id: schemas.webhookId,
    request_id: z.string().meta({ description: 'Names the request', example: 'req_4qUZk0r2bJ8sVd1mX7nTqL' }),
    created_at: schemas.instant,
  }),
);

const links = {
  tag: 'webhooks',
  access: [{ kind: 'api_key', scope: 'webhooks:read' }],
} as const;
const oneLink = { path: '/api/portal-links/{id}', params: z.strictObject({ id: linkId }) } as const;

export const createPortalLinkContract = defineContract({
  ...links,
  id: 'createPortalLink',
  method: 'POST',
  path: '/api/portal-links',
  summary:
    'Create a link to the webhook portal, good for one opening within five minutes. It is shown once, in this answer.',
  rateLimit: 'write',
  idempotent: true,
  body: createPortalLinkBody,
  responses: {
    201: z.lazy(() =>
      portalLink.unwrap().extend({
        url: z.string().meta({
          description: 'The link. It is a secret until it is opened: only its first visitor gets in',
          example: 'https://tranche.example/portal/ptl_4qUZk0r2bJ8sVd1mX7nTqL#tr_link_…',
        }),
      }),
    ),
  },
  errors: ['limit_reached'],
});

export const listPortalLinksContract = defineContract({
  ...links,
  id: 'listPortalLinks',
  method: 'GET',
  path: '/api/portal-links',
  summary: 'List the portal links of the key’s tenant, newest first',
  rateLimit: 'read',
  query: z.strictObject(cursorQuery),
  responses: { 200: z.lazy(() => z.object({ portal_links: z.array(portalLink), next_cursor: schemas.nextCursor })) },
});

export const getPortalLinkContract = defineContract({
  ...links,
  ...oneLink,
  id: 'getPortalLink',
  method: 'GET',
  summary: 'Get a portal link with what was done by it',
  rateLimit: 'read',
  responses: {
    200: z.lazy(() =>
      portalLink.unwrap().extend({
        audit: z.array(auditEntry).meta({ description: `What was changed, the newest first, at most ${MOST_ENTRIES}` }),
      }),
    ),
  },
  errors: ['not_found'],
});

export const endPortalLinkContract = defineContract({
  ...links,
  ...oneLink,
  id: 'endPortalLink',
  method: 'DELETE',
  summary: 'End a portal link, and at once what was opened by it. Ending it again gives the same answer.',
  rateLimit: 'write',
  responses: { 200: portalLink },
  errors: ['not_found'],
});

export const openPortalLinkContract = defineContract({
  id: 'openPortalLink',
  method: 'POST',
  path: '/api/portal-sessions',
  tag: 'webhooks',
  summary: 'Open a portal link: exchange its token, once, for that of a session. The page of the portal does this.',
  access: [{ kind: 'public' }],
  rateLimit: 'write',
  body: z.strictObject({
    link_token: z
      .string()
      .max(128)
      .regex(/^tr_link_[0-9A-Za-z]{43}$/, 'must be the part of the link after the number sign (tr_link_…)')
      .meta({ description: 'The part of the link after the number sign' }),
  }),
  responses: {
    201: z.lazy(() =>
      z.object({
        session_token: z.string().meta({
          description:
            'Send it as `Authorization: Bearer` with the webhook operations that take it; it opens nothing else',
        }),
        expires_at: schemas.instant,
        read_only: z.boolean(),
        project_id: z.string().nullable().meta(projectMeta),
        wallet_address: z.string().meta({ description: 'The wallet that the key is of' }),
        key_prefix: z.string().meta({ description: 'First characters of the key', example: 'tr_live_8Zk2Qp' }),
      }),
    ),
  },
  errors: ['gone'],
});
export type PortalSession = z.output<(typeof openPortalLinkContract)['responses'][201]>;
