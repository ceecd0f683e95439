import { openapiDocument } from '#lib/http/openapi.ts';
import { getOpenapiContract } from '#lib/http/openapi-contract.ts';
import { operation, resource } from '#lib/http/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getOpenapiContract, async () => openapiDocument()),
);
