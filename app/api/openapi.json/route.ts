import { getOpenapiContract } from '#lib/api/openapi-deployment.ts';
import { openapiAnswer } from '#lib/api/openapi-document.ts';
import { resource } from '#lib/api/resource.ts';
import { fixed } from '#lib/api/response-cache.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(fixed(getOpenapiContract, openapiAnswer));
