import { existsSync } from 'node:fs';

const USUAL_FILE = '.env.local';

/**
 * For commands: adds the settings of a file to those of the environment, which win. Without a name it is `.env.local`, where
 * that exists. Throws when a named file cannot be read.
 */
export function loadSettings(file: string | undefined): void {
  if (file !== undefined) process.loadEnvFile(file);
  else if (existsSync(USUAL_FILE)) process.loadEnvFile(USUAL_FILE);
}
