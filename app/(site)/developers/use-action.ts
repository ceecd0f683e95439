'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFault } from './api.ts';

type Faults = { fault: string | null; fields: Record<string, string> };

const NONE: Faults = { fault: null, fields: {} };

/** `must be …` as it stands by itself below a field. */
function asSentence(text: string): string {
  const whole = /^(?:is|must|may|has|holds|needs)\b/.test(text) ? `this ${text}` : text;
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1).replace(/\.?$/, '.')}`;
}

/** What went wrong, said once: at the fields that are `shown`, and of anything else in one text. Pure. */
export function faultsOf(err: unknown, shown: readonly string[]): Faults {
  if (!(err instanceof Error)) return { fault: 'It did not work. Try again.', fields: {} };
  const errors = err instanceof ApiFault ? err.fields : [];
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const { field, message } of errors) {
    const name = field.split(/[.[]/, 1)[0] ?? field;
    if (shown.includes(name)) fields[name] ??= asSentence(message);
    else others.push(`${field}: ${message}`);
  }
  if (Object.keys(fields).length === 0) return { fault: err.message, fields };
  return { fault: others.length === 0 ? null : others.join('; '), fields };
}

/**
 * Runs one thing at a time and keeps what went wrong, in words: `fields` at the fields that are `shown`, the first of which
 * gets the focus, and `fault` the rest. `run` tells whether it went well.
 */
export function useAction(shown: readonly string[] = []) {
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState(NONE);
  const names = useRef(shown);
  useEffect(() => {
    if (Object.keys(faults.fields).length === 0) return;
    document.activeElement?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const run = useCallback(async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setFaults(NONE);
    try {
      await work();
      return true;
    } catch (err) {
      setFaults(faultsOf(err, names.current));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { run, isBusy, ...faults };
}
