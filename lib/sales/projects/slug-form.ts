/** What the address of a sale's page may hold. */
export const SLUG_FORM = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
