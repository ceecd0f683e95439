import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../_ui/button.tsx';
import { inputClass } from '../_ui/field.tsx';

/** Filters of a list: a form whose answer is an address that can be kept and passed on. */
export const Filters = ({ path, children }: { path: string; children: ReactNode }) => (
  <form action={path} className="mb-6 flex flex-wrap items-end gap-3 rounded-2xl border border-line bg-card p-4">
    {children}
    <Button type="submit">Show</Button>
    <a href={path} className="inline-flex min-h-10 items-center px-1 text-sm text-soft hover:text-ink hover:underline">
      Clear
    </a>
  </form>
);

/** A filter's control, which has the id `filter-<name>`, under its name. */
export const FilterField = ({ name, label, children }: { name: string; label: string; children: ReactNode }) => (
  <div className="min-w-40 flex-1 space-y-1">
    <label htmlFor={`filter-${name}`} className="text-xs text-soft">
      {label}
    </label>
    {children}
  </div>
);

/** A filter that is typed, with what the list is filtered by now. */
export const FilterInput = ({
  name,
  label,
  given,
  ...rest
}: { name: string; label: string; given: string | undefined } & Pick<
  ComponentProps<'input'>,
  'type' | 'placeholder' | 'list'
>) => (
  <FilterField name={name} label={label}>
    <input id={`filter-${name}`} name={name} className={inputClass} defaultValue={given} {...rest} />
  </FilterField>
);
