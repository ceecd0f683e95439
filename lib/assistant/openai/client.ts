import type OpenAI from 'openai';
import { env } from '#lib/base/env.ts';
import { memoize } from '#lib/base/memoize.ts';
import { LIMITS } from './limits.ts';

/** Ends a body that grows beyond what any answer needs. */
function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > LIMITS.responseBytes) controller.error(new Error('too many bytes'));
        else controller.enqueue(chunk);
      },
    }),
  );
}

const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  return response.body === null ? response : new Response(bounded(response.body), response);
};

const client = memoize(
  () => [env().OPENAI_API_KEY, env().OPENAI_BASE_URL, env().ASSISTANT_TIMEOUT_MS],
  async (): Promise<OpenAI> => {
    const { OpenAI } = await import('openai');
    return new OpenAI({
      apiKey: env().OPENAI_API_KEY ?? '',
      baseURL: env().OPENAI_BASE_URL,
      // Everything else that the package would read from the environment itself.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      // It would wait for as long as it is told, whatever time is left (request.ts).
      maxRetries: 0,
      timeout: env().ASSISTANT_TIMEOUT_MS,
      fetch: boundedFetch,
    });
  },
);

/** The client of OPENAI_BASE_URL; the package is loaded with the first question. */
export const openaiClient = (): Promise<OpenAI> => client.get();
