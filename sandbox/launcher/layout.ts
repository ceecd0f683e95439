import path from 'node:path';

/** Where things lie in a project folder. */
export type Layout = {
  root: string;
  stateFolder: string;
  logFolder: string;
  manifestFile: string;
  /** The app's settings, for commands that look at or work on this sandbox. */
  settingsFile: string;
  buildRecordFile: string;
  runningFolder: string;
  /** What the witnesses of this port keep: key, approvals, log. */
  witnessFolder: string;
  nextProgram: string;
  nextBuildIdFile: string;
  migrateScript: string;
  cronFile: string;
  envLocalFile: string;
};

/** The layout of the project that this file belongs to, or of another one. Logs are kept apart by base port. */
export function layoutOf(basePort: number, root = path.resolve(import.meta.dirname, '../..')): Layout {
  const stateFolder = path.join(root, '.sandbox');
  return {
    root,
    stateFolder,
    logFolder: path.join(stateFolder, 'logs', String(basePort)),
    manifestFile: path.join(stateFolder, 'manifest.json'),
    settingsFile: path.join(stateFolder, 'settings.env'),
    buildRecordFile: path.join(stateFolder, 'build.json'),
    runningFolder: path.join(stateFolder, 'running'),
    witnessFolder: path.join(stateFolder, 'witnesses', String(basePort)),
    nextProgram: path.join(root, 'node_modules/next/dist/bin/next'),
    nextBuildIdFile: path.join(root, '.next/BUILD_ID'),
    migrateScript: path.join(root, 'drizzle/migrate.ts'),
    cronFile: path.join(root, 'vercel.json'),
    envLocalFile: path.join(root, '.env.local'),
  };
}
