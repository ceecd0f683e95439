import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi, foldRest } from '#lib/api/openapi.ts';
import { openapiHead } from '#lib/api/openapi-deployment.ts';
import { joinForms } from '#lib/api/openapi-forms.ts';

test.each([
  { version: '0.1.0', serverUrl: 'https://tranche.example' },
  { version: '0.1.0+27db558', serverUrl: 'http://127.0.0.1:3000/Größe' },
])('a deployment joins what was prepared to the document that the code describes, in both forms: %o', (deployment) => {
  const { plain, gzip } = joinForms(openapiHead(deployment), foldRest());
  const described = JSON.stringify(foldOpenapi(CONTRACTS, deployment));
  expect(plain.toString() === described).toBe(true);
  expect(gunzipSync(gzip).equals(plain)).toBe(true);
});
