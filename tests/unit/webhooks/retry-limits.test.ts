import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayRetryNow, type RetriesInFlight } from '#lib/webhooks/delivery/attempt-delivery.ts';

interface Retry {
  tenant: number;
  host: number;
  untried: boolean;
}

const countFor = (next: Retry, underWay: readonly Retry[]): RetriesInFlight => {
  const ofTenant = underWay.filter(({ tenant }) => tenant === next.tenant);
  const ofKind = underWay.filter(({ untried }) => untried === next.untried);
  return {
    untried: next.untried,
    paced: false,
    ofTenant: ofTenant.length,
    ofTenantAtHost: ofTenant.filter(({ host }) => host === next.host).length,
    ofKind: ofKind.length,
    ofTenantOfKind: ofKind.filter(({ tenant }) => tenant === next.tenant).length,
    otherTenantsOfKind: new Set(ofKind.filter(({ tenant }) => tenant !== next.tenant).map(({ tenant }) => tenant)).size,
  };
};

const retry = fc.record({ tenant: fc.nat(60), host: fc.nat(30), untried: fc.boolean() });

/** Which of them begin, when none of them ends. */
function begun(wanted: readonly Retry[]): Retry[] {
  const underWay: Retry[] = [];
  for (const next of wanted) if (mayRetryNow(countFor(next, underWay))) underWay.push(next);
  return underWay;
}

test('whatever is under way, a tenant that has none gets its first', () => {
  fc.assert(
    fc.property(fc.array(retry, { maxLength: 400 }), (wanted) => {
      const underWay = begun(wanted);
      const next = { tenant: 1_000, host: 0, untried: true };
      expect(mayRetryNow(countFor(next, underWay))).toBe(true);
      expect(mayRetryNow(countFor({ ...next, untried: false }, underWay))).toBe(true);
    }),
  );
});

test('whatever is wanted, a tenant has eight at one host and twelve in all at most', () => {
  fc.assert(
    fc.property(fc.array(retry, { maxLength: 400 }), (wanted) => {
      for (const { tenant, host } of begun(wanted)) {
        const ofTenant = begun(wanted).filter((each) => each.tenant === tenant);
        expect(ofTenant.length).toBeLessThanOrEqual(12);
        expect(ofTenant.filter((each) => each.host === host).length).toBeLessThanOrEqual(8);
      }
    }),
    { numRuns: 20 },
  );
});

test('receivers that never took an event change nothing for another tenant’s that did', () => {
  fc.assert(
    fc.property(fc.array(retry, { maxLength: 400 }), (wanted) => {
      const next = { tenant: 1_000, host: 0, untried: false };
      const underWay = begun(wanted);
      const tried = underWay.filter(({ untried }) => !untried);
      expect(mayRetryNow(countFor(next, underWay))).toBe(mayRetryNow(countFor(next, tried)));
    }),
  );
});
