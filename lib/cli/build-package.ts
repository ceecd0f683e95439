import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Run by `npm pack` in a workspace. Within the repository Node.js runs the TypeScript sources, by names that end in `.ts`;
// in node_modules it does not, so a package carries JavaScript and declarations, by names without an ending.

const ROOT = path.resolve(import.meta.dirname, '../..');
const folder = process.cwd();
const built = mkdtempSync(path.join(tmpdir(), 'tranche-package-'));
const settings = {
  extends: path.join(ROOT, 'tsconfig.json'),
  compilerOptions: {
    rootDir: ROOT,
    outDir: built,
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    incremental: false,
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
  },
  include: [path.join(folder, '**/*.ts')],
  exclude: [path.join(folder, 'dist'), path.join(folder, 'tests')],
};

/** Other packages' files, and the package's own names: the compiler changes relative paths only. */
const inPackage = (source: string): string =>
  source
    .replaceAll(/(?<=\bfrom '|\bimport\(')(@tranche\/[\w/-]+)\.ts(?=')/g, '$1')
    .replaceAll(/(?<=\bfrom ')(#[\w/-]+)\.ts(?=')/g, '$1.js')
    .replaceAll(/(?<=\bfrom '|\bimport\(')(\.{1,2}\/[\w./-]+)\.ts(?=')/g, '$1.js');

try {
  const config = path.join(built, 'tsconfig.json');
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['--project', config], { stdio: 'inherit' });
  const dist = path.join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  cpSync(path.join(built, path.relative(ROOT, folder)), dist, { recursive: true });
  cpSync(path.join(ROOT, 'LICENSE'), path.join(dist, 'LICENSE'));
  for (const file of globSync('**/*.{js,d.ts}', { cwd: dist }).map((name) => path.join(dist, name)))
    writeFileSync(file, inPackage(readFileSync(file, 'utf8')));
} finally {
  rmSync(built, { recursive: true, force: true });
}
