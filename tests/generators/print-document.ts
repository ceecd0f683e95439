import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';

process.stdout.write(JSON.stringify(foldOpenapi(CONTRACTS, { version: '0.1.0', serverUrl: 'http://127.0.0.1:3000' })));
