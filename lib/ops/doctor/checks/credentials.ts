import { parseEntry } from '#lib/accounts/administrators/entry.ts';
import type { Env } from '#lib/base/env.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { GUESSED_TOKENS } from '../known-secrets.ts';
import { weakness } from '../secret-strength.ts';
import { defineCheck, type Finding, fault, ok, warning } from '../types.ts';

const NEW_SECRET = 'Make a new one with `openssl rand -hex 32`, set it and deploy.';

function schedulerSecret(secret: string | undefined): Finding {
  const check = 'setting CRON_SECRET';
  if (secret === undefined) {
    return fault(check, 'is not set: no scheduled call is accepted', NEW_SECRET);
  }
  const weak = weakness(secret);
  return weak === null ? ok(check, `${secret.length} characters`) : fault(check, weak, NEW_SECRET);
}

function administrators({ ADMIN_TOKENS, CRON_SECRET }: Pick<Env, 'ADMIN_TOKENS' | 'CRON_SECRET'>): Finding[] {
  const check = 'setting ADMIN_TOKENS';
  const entries = ADMIN_TOKENS.map(parseEntry);
  if (entries.length === 0) {
    return [warning(check, 'names nobody', 'Make one with `npx tranche admin-token --name <name> --role operator`.')];
  }
  const guessed = new Set(GUESSED_TOKENS.map(sha256Hex));
  const findings = entries.flatMap(({ name, tokenHash }): Finding[] => {
    const again = `Make a new one with \`npx tranche admin-token --name ${name} …\` and take this entry out.`;
    if (guessed.has(tokenHash)) return [fault(check, `the token of ${name} is the first one that is guessed`, again)];
    if (CRON_SECRET !== undefined && tokenHash === sha256Hex(CRON_SECRET)) {
      return [fault(check, `the token of ${name} is CRON_SECRET`, again)];
    }
    return [];
  });
  if (findings.length > 0) return findings;
  const names = [...Map.groupBy(entries, ({ name }) => name)].map(([name, own]) =>
    own.length === 1 ? name : `${name} (${own.length} tokens)`,
  );
  return [ok(check, names.join(', '))];
}

/** What callers of internal operations show: the scheduler's secret and the administrators' tokens. */
export const credentialsCheck = defineCheck({
  name: 'credentials',
  needs: ['CRON_SECRET', 'ADMIN_TOKENS'],
  timeoutMs: 1_000,
  run: async (settings) => [schedulerSecret(settings.CRON_SECRET), ...administrators(settings)],
});
