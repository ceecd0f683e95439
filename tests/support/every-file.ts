import { inject } from 'vitest';
import { gatherConsole, gatherLogs } from './gather-logs.ts';
import { quickDrizzle } from './quick-drizzle.ts';
import type { RunningSandbox } from './sandbox.ts';
import { registerSecrets, setEvidenceFolder } from './secrets.ts';

// vitest setupFiles: before each test file, and inherited by every process that it starts.
setEvidenceFolder(inject('evidence'));
gatherLogs();
gatherConsole();
quickDrizzle();

// Where a file of the run shares one.
const sandbox: Pick<RunningSandbox, 'manifest'> | undefined = inject('sandbox');
if (sandbox !== undefined) {
  const { qstash_token, admin_token, colleague_token, read_only_token, cron_secret, accounts } = sandbox.manifest;
  registerSecrets(
    qstash_token,
    admin_token,
    colleague_token,
    read_only_token,
    cron_secret,
    ...Object.values(accounts ?? {}).map(({ seed }) => seed),
  );
}
