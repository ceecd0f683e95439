import { operation, resource } from '#lib/api/route.ts';
import { openPortalLinkContract } from '#lib/webhooks/portal/contracts.ts';
import { openPortalLink } from '#lib/webhooks/portal/open-link.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(openPortalLinkContract, (ctx, { body }) => openPortalLink(ctx, body.link_token)),
);
