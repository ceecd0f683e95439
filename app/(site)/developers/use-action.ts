'use client';

import { useCallback, useState } from 'react';
import { ApiFault } from './api.ts';

/** Runs one thing at a time and keeps what went wrong, in words. `run` tells whether it went well. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [fields, setFields] = useState<Record<string, string>>({});
  const run = useCallback(async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    setFault(null);
    setFields({});
    try {
      await work();
      return true;
    } catch (err) {
      setFault(err instanceof Error ? err.message : 'It did not work. Try again.');
      if (err instanceof ApiFault) setFields(Object.fromEntries(err.fields.map((each) => [each.field, each.message])));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { run, isBusy, fault, fields };
}
