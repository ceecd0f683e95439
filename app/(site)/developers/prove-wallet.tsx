'use client';

import { useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Code } from '../_ui/code.tsx';
import { inputClass } from '../_ui/field.tsx';
import { Notice } from '../_ui/notice.tsx';
import { Time } from '../_ui/time.tsx';
import { callApi } from './api.ts';
import { readSignature, type Signed } from './read-signature.ts';
import { signScript } from './sign-script.ts';
import { useAction } from './use-action.ts';

export type WalletProof = Signed & { challenge_id: string };

interface Challenge {
  id: string;
  message: string;
  expires_at: string;
}

/** A proof in two steps: a text to sign, and its signature to paste. The seed never comes near a page. */
export function ProveWallet({
  wallet,
  purpose,
  label,
  isBusy,
  onProof,
}: {
  wallet: string;
  /** What the proof is for, as the challenge names it. */
  purpose:
    | { action: 'sign_in' }
    | { action: 'create_key' }
    | { action: 'list_keys' }
    | { action: 'revoke_key'; key_id: string };
  /** Of the button that uses the proof. */
  label: string;
  isBusy: boolean;
  onProof: (proof: WalletProof) => Promise<boolean>;
}) {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [pasted, setPasted] = useState('');
  const asking = useAction();
  const ask = () =>
    asking.run(async () => {
      const body = { wallet_address: wallet, ...purpose };
      setChallenge(await callApi<Challenge>(null, 'POST', '/api/api-keys/challenge', body));
      setPasted('');
    });
  const signed = readSignature(pasted);
  const use = async () => {
    if (challenge === null || signed === null) return;
    // A challenge is good for one try, whatever comes of it.
    if (!(await onProof({ challenge_id: challenge.id, ...signed }))) setChallenge(null);
  };
  const isOdd = pasted.trim() !== '' && signed === null;
  return (
    <div className="space-y-4 rounded-xl border border-line bg-sunken p-4">
      {asking.fault !== null && (
        <Notice tone="bad" isAlert>
          {asking.fault}
        </Notice>
      )}
      {challenge === null ? (
        <>
          <p className="text-sm text-soft">
            {wallet === ''
              ? 'Enter the wallet address first. Then you get a short program that signs a challenge.'
              : 'You get a short program that signs a challenge. Run it where your seed is, and paste its output.'}
          </p>
          <Button onClick={ask} isUnavailable={asking.isBusy || isBusy || wallet === ''}>
            {asking.isBusy ? 'Asking…' : 'Get the signing program'}
          </Button>
        </>
      ) : (
        <>
          <p className="text-sm">
            Valid for one attempt, until <Time at={challenge.expires_at} />. Never paste a seed into a page.
          </p>
          <Code text={signScript(challenge.message)} label="the program that signs" />
          <label className="flex flex-col gap-1.5 text-sm font-medium">
            Output of the program
            <textarea
              rows={4}
              value={pasted}
              spellCheck={false}
              autoComplete="off"
              placeholder={'{"public_key":"ED…","signature":"…"}'}
              aria-invalid={isOdd || undefined}
              onChange={(event) => setPasted(event.target.value)}
              className={`${inputClass} font-mono text-xs`}
            />
            {isOdd && (
              <span role="alert" className="block text-xs text-bad">
                This is not the output of the program.
              </span>
            )}
          </label>
          <div className="flex flex-wrap gap-3">
            <Button look="primary" isUnavailable={isBusy || signed === null} onClick={use}>
              {isBusy ? 'Working…' : label}
            </Button>
            <Button look="quiet" onClick={ask} isUnavailable={asking.isBusy}>
              New text
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
