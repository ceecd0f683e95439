import { EventStream } from '#lib/api/event-stream.ts';
import { operation, resource } from '#lib/api/route.ts';
import { chatWithAssistantContract } from '#lib/assistant/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    chatWithAssistantContract,
    async (ctx, { body, caller, mediaType, signal }) => {
      // What is refused, or over its limit, does not wait for the assistant to be loaded.
      const [{ chat }, { chatWhole }] = await Promise.all([
        import('#lib/assistant/chat/chat.ts'),
        import('#lib/assistant/chat/chat-whole.ts'),
      ]);
      const { message, audience } = body;
      const { conversation_id: conversationId, wallet_address: walletAddress, project_id: projectId } = body;
      const left = new AbortController();
      const asked = { message, conversationId, walletAddress, projectId, audience, caller };
      const events = chat(ctx, asked, AbortSignal.any([signal, left.signal]));
      return mediaType === 'text/event-stream' ? new EventStream(events, () => left.abort()) : chatWhole(events);
    },
    { ledger: lazyLedger },
  ),
);
