import { operation, resource } from '#lib/api/route.ts';
import { createPortalLinkContract, listPortalLinksContract } from '#lib/webhooks/portal/contracts.ts';
import { createPortalLink, listPortalLinks } from '#lib/webhooks/portal/links.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listPortalLinksContract, (ctx, { query }) => listPortalLinks(ctx, query)),
  operation(createPortalLinkContract, (ctx, { body }) => createPortalLink(ctx, body)),
);
