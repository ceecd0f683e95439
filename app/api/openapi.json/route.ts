import { fixed } from '#lib/http/fixed.ts';
import { openapiDocument } from '#lib/http/openapi.ts';
import { getOpenapiContract } from '#lib/http/openapi-contract.ts';
import { resource } from '#lib/http/resource.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(fixed(getOpenapiContract, openapiDocument));
