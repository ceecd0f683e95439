'use client';

import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/**
 * The ref of a field whose value a component keeps. What was entered before the page came alive stays in the field and no
 * event tells of it any more: `take` gets it once, so that the page does not go on with another value than the field shows.
 */
export function useInputBeforeHydration<Element extends HTMLInputElement | HTMLSelectElement>(
  take: (value: string) => void,
): RefObject<Element | null> {
  const field = useRef<Element>(null);
  const takeOnce = useEffectEvent(take);
  useEffect(() => {
    if (field.current !== null) takeOnce(field.current.value);
  }, []);
  return field;
}
