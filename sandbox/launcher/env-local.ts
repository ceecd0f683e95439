import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

/** Settings of real services, by the stand-in each of them makes unnecessary; a missing one means: start the stand-in. */
export type RealServices = {
  postgres?: { POSTGRES_URL: string; POSTGRES_URL_NON_POOLING?: string };
  redis?: { KV_REST_API_URL: string; KV_REST_API_TOKEN: string };
  qstash?: {
    QSTASH_URL: string;
    QSTASH_TOKEN: string;
    QSTASH_CURRENT_SIGNING_KEY: string;
    QSTASH_NEXT_SIGNING_KEY: string;
    BASE_URL?: string;
  };
  ledger?: { XRPL_URLS: string; XRPL_NETWORK_ID?: string; SIGNING_KEYS?: string };
};

/** Reads `.env.local`; no file means no real services. Variables that are empty count as missing. */
export async function readRealServices(file: string): Promise<RealServices> {
  return realServicesIn(parseEnv(await readFile(file, 'utf8').catch(() => '')));
}

/**
 * The services that this start uses. Redis remembers what the database beside it has done, and pays nothing out for one that
 * does not know it: the sandbox's own database is a new one each time, and so its Redis must be.
 */
export function usedOf({ redis, ...others }: RealServices): RealServices {
  return redis === undefined || others.postgres === undefined ? others : { ...others, redis };
}

/** Which services the variables name. Next.js reads the remaining variables of the file by itself. */
export function realServicesIn(variables: Record<string, string | undefined>): RealServices {
  const given = (name: string) => variables[name]?.trim() || undefined;
  const optional = <K extends string>(name: K) => {
    const value = given(name);
    return (value ? { [name]: value } : {}) as Partial<Record<K, string>>;
  };
  const real: RealServices = {};

  const postgresUrl = given('POSTGRES_URL');
  if (postgresUrl) real.postgres = { POSTGRES_URL: postgresUrl, ...optional('POSTGRES_URL_NON_POOLING') };

  // Vercel's integration and Upstash itself name the same two settings differently.
  const redisUrl = given('KV_REST_API_URL') ?? given('UPSTASH_REDIS_REST_URL');
  if (redisUrl) {
    const token = given('KV_REST_API_TOKEN') ?? given('UPSTASH_REDIS_REST_TOKEN') ?? '';
    real.redis = { KV_REST_API_URL: redisUrl, KV_REST_API_TOKEN: token };
  }

  const qstashUrl = given('QSTASH_URL');
  if (qstashUrl) {
    real.qstash = {
      QSTASH_URL: qstashUrl,
      QSTASH_TOKEN: given('QSTASH_TOKEN') ?? '',
      QSTASH_CURRENT_SIGNING_KEY: given('QSTASH_CURRENT_SIGNING_KEY') ?? '',
      QSTASH_NEXT_SIGNING_KEY: given('QSTASH_NEXT_SIGNING_KEY') ?? '',
      // The real QStash calls back from outside: the app has to know its address there.
      ...optional('BASE_URL'),
    };
  }

  const ledgerUrls = given('XRPL_URLS');
  if (ledgerUrls) real.ledger = { XRPL_URLS: ledgerUrls, ...optional('XRPL_NETWORK_ID'), ...optional('SIGNING_KEYS') };
  return real;
}
