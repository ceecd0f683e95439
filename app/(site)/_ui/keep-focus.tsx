'use client';

import { useEffect } from 'react';

/** Parts of a page that can take the focus of what was in them. */
const PARTS = 'dialog, form, li, section, fieldset, main';

interface Held {
  element: HTMLElement;
  /** The parts around it, the nearest first: known before it goes. */
  around: HTMLElement[];
}

const canHold = (element: HTMLElement): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled');

function held(element: HTMLElement): Held {
  const around: HTMLElement[] = [];
  for (let part = element.parentElement?.closest<HTMLElement>(PARTS); part != null; ) {
    around.push(part);
    part = part.parentElement?.closest<HTMLElement>(PARTS);
  }
  return { element, around };
}

/**
 * Focus never falls to the body: what has it may be removed, hidden or disabled by what it does, and a keyboard user
 * would begin at the top of the page. The nearest part around it that is still there takes it; what was only disabled gets it back.
 */
export function KeepFocus() {
  useEffect(() => {
    let last: Held | null = null;
    let frame = 0;
    const isLost = () => document.activeElement === null || document.activeElement === document.body;
    const take = ({ target }: FocusEvent) => {
      last = target instanceof HTMLElement && target !== document.body ? held(target) : null;
    };
    // A click beside everything takes the focus away, while the element that had it is still there.
    const letGo = () =>
      queueMicrotask(() => {
        if (last !== null && isLost() && canHold(last.element)) last = null;
      });
    const restore = () => {
      frame = 0;
      if (last === null || !isLost()) return;
      const { element, around } = last;
      if (canHold(element)) return element.focus({ preventScroll: true });
      // It is at work and comes back.
      if (element.isConnected && element.matches(':disabled')) return;
      const part = around.find(canHold);
      if (part === undefined) return;
      if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
      part.focus({ preventScroll: true });
    };
    // A frame later: the part that changes may give the focus to something better.
    const changes = new MutationObserver(() => {
      if (last !== null && isLost() && frame === 0) frame = requestAnimationFrame(restore);
    });
    changes.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['disabled', 'hidden', 'open', 'class'],
    });
    document.addEventListener('focusin', take);
    document.addEventListener('focusout', letGo);
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', take);
      document.removeEventListener('focusout', letGo);
    };
  }, []);
  return null;
}
