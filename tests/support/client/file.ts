import path from 'node:path';

/** The client as it is checked in. */
export const CLIENT_FILE = path.join(import.meta.dirname, 'generated.ts');
