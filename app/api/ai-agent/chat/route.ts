import { chatWithAssistantContract } from '#lib/assistant/contracts.ts';
import { notImplemented } from '#lib/http/not-implemented.ts';
import { operation, resource } from '#lib/http/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(chatWithAssistantContract, notImplemented),
);
