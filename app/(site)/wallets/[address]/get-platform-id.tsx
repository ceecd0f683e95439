'use client';

import { useRouter } from 'next/navigation';
import { Button } from '../../_ui/button.tsx';
import { callApi } from '../../developers/api.ts';
import { useAction } from '../../developers/use-action.ts';

/** Asks for the wallet's Platform ID. Anyone may: it says nothing that the ledger does not. */
export function GetPlatformId({ wallet }: { wallet: string }) {
  const router = useRouter();
  const { run, isBusy, fault } = useAction();
  const generate = () =>
    run(async () => {
      await callApi(null, 'POST', '/api/platform-id/generate', { wallet_address: wallet });
      router.refresh();
    });
  return (
    <div className="space-y-2 pt-1">
      <Button look="primary" onClick={generate} isUnavailable={isBusy}>
        {isBusy ? 'Making it…' : 'Get the Platform ID'}
      </Button>
      {fault !== null && (
        <p role="alert" className="text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
