import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Source, Tool } from '../answerer.ts';
import { runTool } from '../run-tool.ts';
import type { Evidence } from '../safety/figures.ts';
import { howToPayTool } from '../tools/how-to-pay.ts';
import { LIMITS } from './limits.ts';
import type { ToolCall } from './read-round.ts';

export interface LookedUp {
  /** JSON for the model. */
  content: string;
  sources: Source[];
}

const refusal = (error: string, more: Record<string, unknown> = {}): LookedUp => ({
  content: JSON.stringify({ error, ...more }),
  sources: [],
});

/** Where to pay is told by one look-up alone, which asks the gate first (tools/pay-gate.ts). */
const withoutPayTarget = (key: string, value: unknown): unknown =>
  key === 'deposit_address' || key === 'destination_tag' || key === 'x_address' ? undefined : value;

function parsedJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text.trim() === '' ? '{}' : text) };
  } catch {
    return null;
  }
}

/** The look-ups of one answer: counted, bounded, and each result noted as evidence for what the model says after it. */
export class LookUps {
  readonly #ctx: Ctx;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #evidence: Evidence;
  #calls = 0;
  #bytes = 0;

  constructor(ctx: Ctx, tools: readonly Tool[], evidence: Evidence) {
    this.#ctx = ctx;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#evidence = evidence;
  }

  /** False when the next call would be refused. */
  get hasMore(): boolean {
    return this.#calls < LIMITS.calls && this.#bytes < LIMITS.allResultBytes;
  }

  /** What the model hears of its call. A call that cannot be answered is answered with the reason, so that it can do better. */
  async run({ name, arguments: text }: ToolCall): Promise<LookedUp> {
    if (!this.hasMore) return refusal('No more look-ups in this answer. Answer with what you have.');
    this.#calls += 1;
    const tool = this.#tools.get(name);
    if (tool === undefined) return refusal('There is no such tool.', { tools: [...this.#tools.keys()] });
    const json = parsedJson(text);
    if (json === null) return refusal('The arguments are not valid JSON.');
    const input = tool.input.safeParse(json.value);
    if (!input.success) {
      const issues = input.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      return refusal('The arguments are not valid.', { issues: issues.slice(0, 10) });
    }
    return this.#result(tool, input.data);
  }

  async #result(tool: Tool, input: unknown): Promise<LookedUp> {
    try {
      const { data, sources } = await runTool(this.#ctx, tool, input);
      const content = JSON.stringify({ result: data, sources }, tool === howToPayTool ? undefined : withoutPayTarget);
      const bytes = Buffer.byteLength(content);
      if (bytes > LIMITS.resultBytes || this.#bytes + bytes > LIMITS.allResultBytes) {
        return refusal('The result is too long. Ask for less.');
      }
      this.#bytes += bytes;
      this.#evidence.add(JSON.parse(content));
      return { content, sources };
    } catch (failure) {
      if (failure instanceof PlatformError) return refusal(failure.detail, { code: failure.code });
      this.#ctx.log.error({ err: failure, tool: tool.name }, 'a tool of the assistant failed');
      return refusal('This could not be looked up.');
    }
  }
}
