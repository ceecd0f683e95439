import type { ComponentProps, ReactNode } from 'react';

export const inputClass =
  'block min-h-10 w-full rounded-lg border border-line-strong bg-card px-3 py-2 text-sm text-ink placeholder:text-soft aria-invalid:border-bad';

/** A labelled input with its hint and its fault, both tied to it. */
export function Field({
  id,
  label,
  hint,
  fault,
  ...rest
}: Omit<ComponentProps<'input'>, 'id'> & { id: string; label: string; hint?: ReactNode; fault?: string | undefined }) {
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`];
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className={inputClass}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={described.filter(Boolean).join(' ') || undefined}
        {...rest}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
      <FieldFault id={`${id}-fault`} fault={fault} />
    </div>
  );
}

/** What is wrong with a field, below it; the field names its id in `aria-describedby`. */
export const FieldFault = ({ id, fault }: { id: string; fault: string | undefined }) =>
  fault === undefined ? null : (
    <span id={id} role="alert" className="block text-xs font-medium text-bad">
      {fault}
    </span>
  );
