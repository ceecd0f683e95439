import { getOpenapiContract } from '#lib/api/contracts.ts';
import { openapiDocument } from '#lib/api/openapi.ts';
import { resource } from '#lib/api/resource.ts';
import { fixed } from '#lib/api/response-cache.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(fixed(getOpenapiContract, openapiDocument));
