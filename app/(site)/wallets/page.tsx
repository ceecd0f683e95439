import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { parsePlatformId } from '#lib/accounts/platform-ids/platform-id-form.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';
import { PageHead } from '../_ui/page-head.tsx';

export const metadata: Metadata = {
  title: 'Wallet',
  description: 'Investments, tokens to come, trust lines and Platform ID of a wallet.',
};

type Props = { searchParams: Promise<{ address?: string | string[] }> };

/** Asks whose wallet to show. Everything shown of it is public ledger data. */
export default async function WalletsPage({ searchParams }: Props) {
  const { address } = await searchParams;
  const asked = typeof address === 'string' ? address.trim() : '';
  let fault: string | undefined;
  if (asked !== '') {
    const platformId = parsePlatformId(asked);
    if (platformId !== null) redirect(`/wallets/${platformId}`);
    const parsed = parseAccountAddress(asked);
    if ('address' in parsed) redirect(`/wallets/${parsed.address}`);
    fault = `This ${parsed.fault}.`;
  }
  return (
    <div className="mx-auto max-w-2xl">
      <PageHead
        title="Your wallet"
        lead="Investments, tokens to come, trust lines and Platform ID. All of it is on the public ledger: no sign-in, and nothing to sign."
      />
      <form
        action="/wallets"
        className="flex flex-wrap items-end gap-3 rounded-2xl border border-line bg-card p-6 shadow-card"
      >
        <div className="min-w-0 flex-1 basis-64">
          <Field
            id="address"
            name="address"
            label="Address or Platform ID"
            placeholder="r…, X… or PID-…"
            defaultValue={asked}
            autoFocus={fault !== undefined}
            spellCheck={false}
            maxLength={100}
            required
            fault={fault}
          />
        </div>
        <Button type="submit" look="primary">
          Show
        </Button>
      </form>
    </div>
  );
}
