import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes the app's settings in the form that `node --env-file` reads, for its owner only: they hold secrets. Closing
 * removes the file, unless another sandbox has written its own there meanwhile.
 */
export async function writeSettings(
  file: string,
  settings: Record<string, string>,
): Promise<{ close(): Promise<void> }> {
  const text = Object.entries(settings)
    .map(([name, value]) => `${name}=${value.includes("'") ? `"${value}"` : `'${value}'`}\n`)
    .join('');
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
  // A file left by an earlier process keeps its old mode.
  await chmod(file, 0o600);
  return {
    close: async () => {
      if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
    },
  };
}
