import path from 'node:path';

/** The client as it is checked in. */
export const CLIENT_FILE = path.resolve(import.meta.dirname, '../../../lib/client/generated.ts');
