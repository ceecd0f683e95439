import { env } from '#lib/base/env.ts';
import { platformVersion } from '#lib/ops/status/version.ts';
import type { Encoded } from './answer.ts';
import { etagOf } from './answer.ts';
import { getOpenapiContract, openapiHead } from './openapi-deployment.ts';
import { joinForms, type OpenapiRest, readPrepared } from './openapi-forms.ts';
import type { OpenapiDocument } from './openapi-schema.ts';

/** A build has folded the contracts; in development they are folded as they are now. */
const readRest = async (): Promise<OpenapiRest> =>
  process.env.NODE_ENV === 'production' ? readPrepared() : (await import('./openapi.ts')).foldRest();

const forms = async () =>
  joinForms(openapiHead({ version: platformVersion(), serverUrl: env().BASE_URL }), await readRest());

/** The document of this deployment, as an answer. */
export async function openapiAnswer(): Promise<Encoded> {
  const { plain, gzip } = await forms();
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': getOpenapiContract.cacheControl,
      vary: 'Accept-Encoding',
    },
    body: plain,
    etag: etagOf(plain),
    gzip: { body: gzip, etag: etagOf(gzip) },
  };
}

/** The same as a value. */
export const openapiDocument = async (): Promise<OpenapiDocument> => JSON.parse((await forms()).plain.toString());
