'use client';

import { createContext, useContext } from 'react';

/** By what the webhooks of a page are read and changed: an API key, or a session of the portal. */
export interface WebhookAccess {
  credential: string;
  /** Nothing is offered that changes something. */
  isReadOnly: boolean;
  /** The only project whose webhooks it reaches; null: all. */
  projectId: string | null;
}

const Access = createContext<WebhookAccess | null>(null);
export const WebhookAccessProvider = Access.Provider;

export function useWebhookAccess(): WebhookAccess {
  const access = useContext(Access);
  if (access === null) throw new Error('Webhooks are shown within a WebhookAccessProvider');
  return access;
}

export const accessOfKey = (key: string): WebhookAccess => ({ credential: key, isReadOnly: false, projectId: null });
