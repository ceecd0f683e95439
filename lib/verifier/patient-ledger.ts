import { PlatformError } from '#lib/base/errors.ts';
import type { LedgerSource } from './types.ts';

const ATTEMPTS = 4;
const pause = (attempt: number) => new Promise<void>((resolve) => setTimeout(resolve, 250 * 2 ** attempt));

/** The same servers, asked again a few times when none of them answers. */
export function patientLedger(ledger: LedgerSource): LedgerSource {
  const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        const mayPass = error instanceof PlatformError && error.code === 'ledger_unavailable';
        if (!mayPass || attempt + 1 >= ATTEMPTS) throw error;
        await pause(attempt);
      }
    }
  };
  return {
    serverState: () => patiently(() => ledger.serverState()),
    readFeed: (request) => patiently(() => ledger.readFeed(request)),
    closedAtMs: (ledgerIndex) => patiently(() => ledger.closedAtMs(ledgerIndex)),
  };
}
