import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { referencePage } from './reference-page.ts';

/** Made once a build: it knows nothing of the deployment. */
export const dynamic = 'force-static';

// There is no script on the page, so none may run.
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const GET = (): Response =>
  new Response(referencePage(foldOpenapi(CONTRACTS, { version: packageJson.version, serverUrl: '/' })), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
    },
  });
