import { fixed } from '#lib/api/fixed.ts';
import { openapiDocument } from '#lib/api/openapi.ts';
import { getOpenapiContract } from '#lib/api/openapi-contract.ts';
import { resource } from '#lib/api/resource.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(fixed(getOpenapiContract, openapiDocument));
