'use client';

import { useRouter } from 'next/navigation';
import type { MouseEvent } from 'react';

const KINDS = [
  { kind: 'iou', label: 'Issued currency (trust lines)' },
  { kind: 'mpt', label: 'Multi-purpose token (MPT)' },
] as const;

/** Chooses the kind of token: the form around it is asked for anew, with what is typed in it. */
export function KindSwitch({ chosen }: { chosen: 'iou' | 'mpt' }) {
  const router = useRouter();
  const choose = (event: MouseEvent<HTMLButtonElement>) => {
    const { form, value } = event.currentTarget;
    if (form === null) return;
    // The form's own way leaves out which button was pressed.
    event.preventDefault();
    const texts = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    router.push(`/operator/tokens?${new URLSearchParams([...texts, ['to_kind', value]])}`);
  };
  return (
    <fieldset className="inline-flex flex-wrap gap-1 rounded-xl bg-sunken p-1">
      <legend className="sr-only">Kind of token</legend>
      {KINDS.map(({ kind, label }) => (
        <button
          key={kind}
          type="submit"
          name="to_kind"
          value={kind}
          formNoValidate
          aria-pressed={kind === chosen}
          onClick={choose}
          className="inline-flex min-h-9 items-center rounded-lg px-3 text-sm font-medium text-soft hover:text-ink aria-pressed:bg-card aria-pressed:text-ink aria-pressed:shadow-card"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
