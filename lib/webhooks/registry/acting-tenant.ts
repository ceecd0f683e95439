import type { Ctx } from '#lib/ctx.ts';

/** All administrators share one tenant: an alert concerns whoever is on duty. */
export const ADMINISTRATORS_TENANT = 'ten_administrators';

export interface ActingTenant {
  tenantId: string;
  /** The API key that acts; null for an administrator. */
  keyId: string | null;
}

/** On whose webhooks the caller acts. Webhook contracts admit nobody else, so another actor is our own fault. */
export function actingTenant({ actor }: Ctx): ActingTenant {
  if (actor.kind === 'administrator') return { tenantId: ADMINISTRATORS_TENANT, keyId: null };
  if (actor.kind !== 'api_key') {
    throw new Error(`Webhooks belong to API keys and administrators; the actor is ${actor.kind}`);
  }
  return actor;
}
