import type { AdminRole } from '#lib/base/contract.ts';
import { ADMIN_ROLES } from '#lib/base/contract.ts';
import { envSchema } from '#lib/base/env.ts';
import type { RandomBytes } from '#lib/base/ids.ts';
import { type AdministratorEntry, formatEntry, parseEntry } from './entry.ts';
import { newToken } from './new-token.ts';

export const USAGE = `Makes an administrator's token.

npm run admin:token -- --name <name> --role <operator|read_only> [--settings <file>]

  --name      who it is for: a-z, 0-9, dot, hyphen and underscore, at most 40; it stands in the audit log
  --role      operator may do everything, read_only may look
  --settings  where ADMIN_TOKENS stands when the environment lacks it; .env.local when left out

The token goes to standard output, once; the line for the settings goes to standard error. Nothing else keeps the token.`;

export interface TokenOptions {
  name?: string | undefined;
  role?: string | undefined;
}

interface Voice {
  out: (text: string) => void;
  err: (text: string) => void;
}

const roleOf = (text: string | undefined): AdminRole | undefined => ADMIN_ROLES.find((role) => role === text);

/** Prints a new token and what to set; `current` is the ADMIN_TOKENS of this environment. Gives the exit code. */
export function makeToken(options: TokenOptions, current: string, random: RandomBytes, say: Voice): number {
  const role = roleOf(options.role);
  if (!/^[a-z0-9._-]{1,40}$/.test(options.name ?? '') || options.name === undefined || role === undefined) {
    say.err(USAGE);
    return 1;
  }
  const { token, tokenHash } = newToken(random);
  const entry: AdministratorEntry = { name: options.name, role, tokenHash };
  const line = [...current.split(',').filter((one) => one !== ''), formatEntry(entry)].join(',');
  const settings = envSchema.shape.ADMIN_TOKENS.safeParse(line);
  if (!settings.success) {
    say.err(
      `ADMIN_TOKENS would not be valid with it: ${settings.error.issues[0]?.message ?? 'unknown'}. Nothing was made.`,
    );
    return 1;
  }
  say.err(instructions(entry, settings.data));
  say.out(token);
  return 0;
}

function instructions(entry: AdministratorEntry, entries: readonly string[]): string {
  const older = entries.slice(0, -1).filter((one) => parseEntry(one).name === entry.name).length;
  return `Set this in the deployment, and deploy:

ADMIN_TOKENS=${entries.join(',')}

${
  older === 0
    ? `The line holds what ADMIN_TOKENS is in this environment, and the new entry at its end. Where the deployment has others, only add
${formatEntry(entry)}`
    : `${entry.name} has ${older} older ${older === 1 ? 'token' : 'tokens'}, and each goes on working: hand the new one over, then take the older ${
        older === 1 ? 'entry' : 'entries'
      } out and deploy again.`
}

The token follows on standard output. It is shown once and stored nowhere; hand it to ${entry.name} alone.
`;
}
