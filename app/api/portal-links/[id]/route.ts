import { operation, resource } from '#lib/api/route.ts';
import { endPortalLinkContract, getPortalLinkContract } from '#lib/webhooks/portal/contracts.ts';
import { endPortalLink, getPortalLink } from '#lib/webhooks/portal/links.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getPortalLinkContract, (ctx, { params }) => getPortalLink(ctx, params.id)),
  operation(endPortalLinkContract, (ctx, { params }) => endPortalLink(ctx, params.id)),
);
