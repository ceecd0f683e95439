import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createToken, newToken } from '#lib/accounts/administrators/command.ts';
import { formatEntry } from '#lib/accounts/administrators/find-administrator.ts';
import { guard } from '#lib/api/guards.ts';
import { applyEnv, parseEnv } from '#lib/base/env.ts';
import { redactText } from '#lib/base/log.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { createCtx } from '#lib/ctx.ts';
import { testEnv } from '#tests/support/env.ts';

const TRANCHE = path.resolve(import.meta.dirname, '../../../lib/cli/tranche.cjs');
const command = (args: readonly string[], settings: Record<string, string> = {}) =>
  spawnSync(process.execPath, [TRANCHE, 'admin-token', ...args], {
    encoding: 'utf8',
    env: { NODE_ENV: 'production', PATH: process.env.PATH, ...settings },
  });
/** A process of its own, on a machine that may be busy. */
const SPAWN_TIMEOUT_MS = 30_000;

/** What the command says, and its exit code. */
function run(options: Parameters<typeof createToken>[0], current = '') {
  const said = { out: '', err: '' };
  const say = {
    out: (text: string) => {
      said.out += text;
    },
    err: (text: string) => {
      said.err += text;
    },
  };
  return { status: createToken(options, current, randomBytes, say), ...said };
}

describe('npx tranche admin-token', () => {
  test(
    'prints a new token alone on standard output, and the line to set, without the token, on standard error',
    () => {
      const older = formatEntry({ name: 'bob', role: 'read_only', tokenHash: sha256Hex('older') });
      const { status, stdout, stderr } = command(['--name', 'alice', '--role', 'operator'], { ADMIN_TOKENS: older });
      expect(status).toBe(0);
      const token = stdout.trimEnd();
      expect(token).toMatch(/^tr_admin_[0-9A-Za-z]{43}$/);
      expect(stderr).not.toContain(token);
      expect(stderr).toContain(`\nADMIN_TOKENS=${older},alice:operator:${sha256Hex(token)}\n`);
      expect(redactText(`a log line with ${token} in it`)).toBe('a log line with [redacted] in it');
    },
    SPAWN_TIMEOUT_MS,
  );

  test('says how the older token of the same name is taken out, and gives nobody two roles', () => {
    const older = formatEntry({ name: 'alice', role: 'operator', tokenHash: sha256Hex('older') });
    const { err } = run({ name: 'alice', role: 'operator' }, older);
    expect(err).toContain('alice has 1 older token, and each goes on working');
    expect(run({ name: 'alice', role: 'read_only' }, older)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('gives one name two roles'),
    });
  });

  test.each([
    [['--name', 'Alice Smith', '--role', 'operator'], 'Use 1 to 40 of'],
    [['--name', 'alice', '--role', 'owner'], 'Allowed choices are read_only, operator'],
    [['--name', 'alice'], "required option '--role <role>' not specified"],
    [[], "required option '--name <name>' not specified"],
  ])(
    '%j makes nothing and says what is missing',
    (args, reason) => {
      expect(command(args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(reason) });
    },
    SPAWN_TIMEOUT_MS,
  );
});

describe('an administrator whose token is being replaced', () => {
  const admits = async (token: string) => {
    const ctx = await createCtx('req_1', { kind: 'anonymous' });
    const request = { headers: new Headers({ authorization: `Bearer ${token}` }), path: '/', rawBody: '' };
    return guard(ctx, [{ kind: 'administrator', role: 'operator' }], request, { looksUpKeys: false });
  };

  test('is let in by either token, under the same name, and by the older one no more once its entry is gone', async () => {
    const [older, newer] = [newToken(randomBytes), newToken(randomBytes)];
    const entry = ({ tokenHash }: { tokenHash: string }) => formatEntry({ name: 'alice', role: 'operator', tokenHash });
    applyEnv(testEnv({ ADMIN_TOKENS: `${entry(older)},${entry(newer)}` }));
    for (const { token } of [older, newer]) {
      expect(await admits(token)).toEqual({ kind: 'administrator', name: 'alice', role: 'operator' });
    }
    applyEnv(testEnv({ ADMIN_TOKENS: entry(newer) }));
    expect(await admits(newer.token)).toMatchObject({ name: 'alice' });
    await expect(admits(older.token)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(admits(newer.tokenHash)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('cannot be two persons, nor have two roles', () => {
    const { tokenHash } = newToken(randomBytes);
    expect(() => parseEnv(testEnv({ ADMIN_TOKENS: `a:operator:${tokenHash},b:operator:${tokenHash}` }))).toThrow(
      'one token twice',
    );
    expect(() => parseEnv(testEnv({ ADMIN_TOKENS: `a:operator:${tokenHash},a:read_only:${sha256Hex('x')}` }))).toThrow(
      'two roles',
    );
  });
});
