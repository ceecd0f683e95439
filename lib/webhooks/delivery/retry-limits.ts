/** Retries under way in all processes, as they concern one that is to begin. */
export type RetriesUnderWay = {
  /** Its webhook has never taken an event at its URL: anybody can register such webhooks. */
  untried: boolean;
  ofTenant: number;
  ofTenantAtHost: number;
  /** Of webhooks that have taken an event, or of those that have not: whichever this one is. */
  ofKind: number;
  ofTenantOfKind: number;
  otherTenantsOfKind: number;
};

/** At webhooks that have taken an event, and at those that have not: these can never take a place from the others. */
const MOST_OF_TRIED = 32;
const MOST_OF_UNTRIED = 16;
/** Of one tenant, as many as the queue calls back at one host; and so many more, each at a host where it has none. */
const MOST_OF_TENANT = 8;
const AT_OTHER_HOSTS = 4;

/**
 * True while a retry may begin. Where all places are taken, a tenant that has less than an equal share of them gets one all
 * the same, and each tenant its first: nobody can keep another's retries out, however many tenants they are.
 */
export function mayRetryNow(retries: RetriesUnderWay): boolean {
  const most = retries.untried ? MOST_OF_UNTRIED : MOST_OF_TRIED;
  const share = Math.max(1, Math.floor(most / (retries.otherTenantsOfKind + 1)));
  const mostOfTenant = retries.ofTenantAtHost === 0 ? MOST_OF_TENANT + AT_OTHER_HOSTS : MOST_OF_TENANT;
  return retries.ofTenant < mostOfTenant && (retries.ofKind < most || retries.ofTenantOfKind < share);
}
