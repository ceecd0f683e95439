/** Who may read what all webhooks of a tenant could receive. */
export const eventReaders = [
  { kind: 'api_key', scope: 'webhooks:read' },
  { kind: 'administrator', role: 'read_only' },
] as const;
/** Who may read webhooks and what stands beneath them, and who may change them. */
export const readers = [...eventReaders, { kind: 'portal', scope: 'webhooks:read' }] as const;
export const writers = [
  { kind: 'api_key', scope: 'webhooks:write' },
  { kind: 'administrator', role: 'operator' },
  { kind: 'portal', scope: 'webhooks:write' },
] as const;
