import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { isLoopbackUrl } from '#lib/base/env.ts';
import { SandboxFailure } from './failure.ts';

/** Settings of real services, by the stand-in each of them makes unnecessary; a missing one means: start the stand-in. */
export type RealServices = {
  postgres?: { POSTGRES_URL: string; POSTGRES_URL_NON_POOLING?: string };
  redis?: { KV_REST_API_URL: string; KV_REST_API_TOKEN: string };
  qstash?: {
    QSTASH_URL: string;
    QSTASH_TOKEN: string;
    QSTASH_CURRENT_SIGNING_KEY: string;
    QSTASH_NEXT_SIGNING_KEY: string;
  };
  /** Of `--ledger`; the file gives its keys. */
  ledger?: { XRPL_URLS: string; XRPL_NETWORK_ID: string; SIGNING_KEYS: string; PLATFORM_TOKEN: string };
};

export type Variables = Record<string, string | undefined>;

/** The variables of the file that `--env-file` names; none without it. No other file is ever read. */
export async function readEnvFile(file: string | null): Promise<Variables> {
  if (file === null) return {};
  try {
    return parseEnv(await readFile(file, 'utf8'));
  } catch (error) {
    throw new SandboxFailure(`--env-file ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * The services that the variables name. Empty ones count as missing.
 *
 * @throws SandboxFailure when one is not on this machine: the sandbox migrates, launches sales and pays
 */
export function realServicesIn(variables: Variables): RealServices {
  const given = (name: string) => variables[name]?.trim() || undefined;
  const real: RealServices = {};

  const postgresUrl = given('POSTGRES_URL');
  const directUrl = given('POSTGRES_URL_NON_POOLING');
  if (postgresUrl) {
    requireThisMachine('POSTGRES_URL', isLoopbackDatabase(postgresUrl));
    real.postgres = { POSTGRES_URL: postgresUrl };
  }
  if (directUrl) {
    requireThisMachine('POSTGRES_URL_NON_POOLING', isLoopbackDatabase(directUrl));
    if (real.postgres) real.postgres.POSTGRES_URL_NON_POOLING = directUrl;
  }

  // Vercel's integration and Upstash itself name the same two settings differently.
  const redisUrl = given('KV_REST_API_URL') ?? given('UPSTASH_REDIS_REST_URL');
  if (redisUrl) {
    requireThisMachine('KV_REST_API_URL', isLoopbackUrl(redisUrl));
    const token = given('KV_REST_API_TOKEN') ?? given('UPSTASH_REDIS_REST_TOKEN') ?? '';
    real.redis = { KV_REST_API_URL: redisUrl, KV_REST_API_TOKEN: token };
  }

  const qstashUrl = given('QSTASH_URL');
  if (qstashUrl) {
    requireThisMachine('QSTASH_URL', isLoopbackUrl(qstashUrl));
    real.qstash = {
      QSTASH_URL: qstashUrl,
      QSTASH_TOKEN: given('QSTASH_TOKEN') ?? '',
      QSTASH_CURRENT_SIGNING_KEY: given('QSTASH_CURRENT_SIGNING_KEY') ?? '',
      QSTASH_NEXT_SIGNING_KEY: given('QSTASH_NEXT_SIGNING_KEY') ?? '',
    };
  }
  return real;
}

/**
 * The services that this start uses. Redis remembers what the database beside it has done, and pays nothing out for one that
 * does not know it: the sandbox's own database is a new one each time, and so its Redis must be.
 */
export function usedOf({ redis, ...others }: RealServices): RealServices {
  return redis === undefined || others.postgres === undefined ? others : { ...others, redis };
}

/**
 * The redis-server that REDIS_URL of this shell puts behind the Redis stand-in; undefined without one.
 *
 * @throws SandboxFailure when it is not on this machine
 */
export function redisServerOf(shell: Variables): string | undefined {
  const url = shell.REDIS_URL || undefined;
  if (url !== undefined) requireThisMachine('REDIS_URL', isLoopbackUrl(url));
  return url;
}

/** As the driver reads it: `?host=` and PGHOST count, and a path is a socket of this machine. */
function isLoopbackDatabase(url: string): boolean {
  try {
    const { host } = new pg.Client({ connectionString: url });
    return host.startsWith('/') || isLoopbackUrl(`tcp://${host.includes(':') ? `[${host}]` : host}`);
  } catch {
    return false;
  }
}

function requireThisMachine(name: string, isIt: boolean): void {
  if (isIt) return;
  // The value may hold a password.
  throw new SandboxFailure(
    `${name} does not name this machine. The sandbox migrates, launches sales and pays: it uses a database, Redis and queue at 127.0.0.1 or localhost only, or its own.`,
  );
}
