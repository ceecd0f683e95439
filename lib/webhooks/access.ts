/** Who may read webhooks and what stands beneath them, and who may change them. */
export const readers = [
  { kind: 'api_key', scope: 'webhooks:read' },
  { kind: 'administrator', role: 'read_only' },
] as const;
export const writers = [
  { kind: 'api_key', scope: 'webhooks:write' },
  { kind: 'administrator', role: 'operator' },
] as const;
