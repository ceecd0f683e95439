import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '#lib/base/clock.ts';
import type { AdminRole, MemberRole, Scope } from '#lib/base/contract.ts';
import { type Db, database } from '#lib/base/db.ts';
import type { RandomBytes } from '#lib/base/ids.ts';
import { type Logger, logger } from '#lib/base/log.ts';
import { type Queue, queue } from '#lib/base/queue.ts';
import { type Redis, redis } from '#lib/base/redis.ts';
import type { Ledger } from '#lib/xrpl/types.ts';

/** Who acts. */
export type Actor =
  | { kind: 'anonymous' }
  | {
      kind: 'api_key';
      keyId: string;
      tenantId: string;
      walletAddress: string;
      walletVerified: boolean;
      scopes: Scope[];
    }
  | {
      /** Who opened a link to the webhook portal. */
      kind: 'portal';
      linkId: string;
      /** The key that made the link. */
      keyId: string;
      tenantId: string;
      /** The only project whose webhooks it sees; null: all of the tenant's. */
      projectId: string | null;
      scopes: Scope[];
    }
  | {
      /** Who signed in as a member of a tenant. */
      kind: 'member';
      memberId: string;
      sessionId: string;
      tenantId: string;
      walletAddress: string;
      role: MemberRole;
    }
  | { kind: 'scheduler' }
  | { kind: 'administrator'; name: string; role: AdminRole }
  | { kind: 'queue' }
  | { kind: 'system' };

/** Who acts, as records show it. */
export const nameOf = (actor: Actor): string => {
  switch (actor.kind) {
    case 'administrator':
      return `administrator:${actor.name}`;
    case 'api_key':
      return `api_key:${actor.keyId}`;
    case 'portal':
      return `portal:${actor.linkId}`;
    case 'member':
      return `member:${actor.walletAddress}`;
    default:
      return actor.kind;
  }
};

/** Everything a verb may touch. Time and randomness come through it, so every rule can be tested exactly. */
export interface Ctx {
  db: Db;
  redis: Redis;
  queue: Queue;
  /** Connects on first use, and loads the ledger library only then. */
  ledger: Ledger;
  clock: Clock;
  random: RandomBytes;
  actor: Actor;
  requestId: string;
  log: Logger;
}

const noLedger = (): never => {
  throw new Error('Nothing gave this ctx the ledger: bind the operation with { ledger: lazyLedger }');
};

/** The production context: shared clients, the system clock, the operating system's randomness; the ledger where it is given. */
export async function createCtx(requestId: string, actor: Actor, openLedger: () => Ledger = noLedger): Promise<Ctx> {
  const db = await database();
  let log: Logger | undefined;
  return {
    db,
    get redis() {
      return redis();
    },
    get queue() {
      return queue();
    },
    get ledger() {
      return openLedger();
    },
    clock: systemClock,
    random: randomBytes,
    actor,
    requestId,
    get log() {
      log ??= logger().child({ request_id: requestId });
      return log;
    },
  };
}
