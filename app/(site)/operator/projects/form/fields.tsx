'use client';

import type { ComponentProps, ReactNode } from 'react';
import { Field, inputClass } from '../../../_ui/field.tsx';
import type { AboutList, ProjectValues } from './values.ts';

/** What is wrong with a field, by its name in the body. */
export type Fault = (path: string) => string | undefined;

export interface PartProps {
  values: ProjectValues;
  fault: Fault;
}

type TextName = Exclude<keyof ProjectValues, 'tiers' | 'locks' | AboutList>;

/** A field of the form under the name that the contract has for it. */
export function Text({
  name,
  path = name,
  values,
  fault,
  ...rest
}: { name: TextName; path?: string; label: string; hint?: ReactNode } & PartProps &
  Omit<ComponentProps<'input'>, 'id' | 'name' | 'defaultValue'>) {
  return (
    <Field
      id={name}
      name={name}
      data-path={path}
      defaultValue={values[name]}
      fault={fault(path)}
      autoComplete="off"
      spellCheck={false}
      {...rest}
    />
  );
}

export function Choice({
  name,
  label,
  options,
  ...rest
}: {
  name: string;
  label: string;
  options: readonly { value: string; says: string }[];
} & Omit<ComponentProps<'select'>, 'name' | 'className'>) {
  return (
    <label className="flex flex-col gap-1.5 text-sm font-medium">
      {label}
      <select name={name} className={inputClass} {...rest}>
        {options.map(({ value, says }) => (
          <option key={value} value={value}>
            {says}
          </option>
        ))}
      </select>
    </label>
  );
}
