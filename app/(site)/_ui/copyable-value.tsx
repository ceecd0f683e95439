import { CopyButton } from './copy.tsx';

/** A value that goes into a wallet as it is, with a button of its own to copy it. */
export function CopyableValue({ label, value }: { label: string; value: string }) {
  return (
    <div className="rounded-xl border border-line bg-sunken p-3">
      <p className="text-xs text-soft">{label}</p>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
        <code className="figures min-w-0 font-mono text-sm font-medium break-all">{value}</code>
        <CopyButton text={value} label={label.toLowerCase()} />
      </div>
    </div>
  );
}
