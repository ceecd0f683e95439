import { writeFile } from 'node:fs/promises';
import { CLIENT_FILE } from './file.ts';
import { generateClient } from './generate.ts';

/** `npm run client:generate`: writes the client again after the interface has changed. */
await writeFile(CLIENT_FILE, await generateClient());
