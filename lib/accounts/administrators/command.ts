import type { CommandOutput } from '#lib/base/command-output.ts';
import type { AdminRole } from '#lib/base/contract.ts';
import { envSchema } from '#lib/base/env.ts';
import { type RandomBytes, randomBase62 } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { type AdministratorEntry, formatEntry, parseEntry } from './find-administrator.ts';

/** Base62 digits: a little over 256 bits. */
const LENGTH = 43;

/** A new administrator's token, and all that the platform may know of it. The prefix lets logs recognise and blot it out. */
export function newToken(random: RandomBytes): { token: string; tokenHash: string } {
  const token = `tr_admin_${randomBase62(random, LENGTH)}`;
  return { token, tokenHash: sha256Hex(token) };
}

/** Prints a new token and what to set; `current` is the ADMIN_TOKENS of this environment. Gives the exit code. */
export function createToken(
  { name, role }: { name: string; role: AdminRole },
  current: string,
  random: RandomBytes,
  say: CommandOutput,
): number {
  const { token, tokenHash } = newToken(random);
  const entry: AdministratorEntry = { name, role, tokenHash };
  const line = [...current.split(',').filter((one) => one !== ''), formatEntry(entry)].join(',');
  const settings = envSchema().shape.ADMIN_TOKENS.safeParse(line);
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
