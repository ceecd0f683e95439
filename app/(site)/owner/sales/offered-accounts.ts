import { env } from '#lib/base/env.ts';
import type { OfferedAccounts } from '../../operator/projects/form/accounts-part.tsx';

/** The deposit accounts for sales of owners. Which distributor the platform signs for is agreed with its operators. */
export const offeredAccounts = (): OfferedAccounts => ({
  deposit: env().OWNER_DEPOSIT_ACCOUNTS,
  distributor: [],
  lead: 'The platform must sign for the first two. The first field offers the deposit accounts for sales of owners; agree on the distributor with the operators of this platform.',
});
