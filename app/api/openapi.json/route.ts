import { openapiDocument } from '#lib/http/openapi.ts';
import { getOpenapiContract } from '#lib/http/openapi-contract.ts';
import { operation, resource } from '#lib/http/route.ts';

export const { GET, POST, PATCH, PUT, DELETE } = resource(operation(getOpenapiContract, async () => openapiDocument()));
