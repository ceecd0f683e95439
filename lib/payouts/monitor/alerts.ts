import { alertEvent } from '#lib/events/alert.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { AccountHealth } from './account-resource.ts';

/** One alert for each finding above `info`. Sent once a day (UTC), account and finding, however often it is looked at. */
export function healthAlerts(accounts: readonly AccountHealth[], nowMs: number): NewEvent<'system.alert'>[] {
  const raisedAt = new Date(nowMs).toISOString();
  const day = raisedAt.slice(0, 10);
  return accounts.flatMap(({ address, findings }) =>
    findings.flatMap(({ code, severity, token, message }) => {
      if (severity === 'info') return [];
      return alertEvent(`${address}:${code}:${token ?? ''}:${day}`, nowMs, {
        kind: 'account_health',
        message,
        details: { account: address, finding: code, severity, token },
        raised_at: raisedAt,
      });
    }),
  );
}
