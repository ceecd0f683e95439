import type { Contract } from '#lib/base/contract.ts';

/** A text that is made whole before it is sent, for a contract that declares its media type (`textType`). */
export class Text {
  readonly contentType: string;
  readonly text: string;

  constructor(contentType: string, text: string) {
    this.contentType = contentType;
    this.text = text;
  }
}

/** The Response to a Text. It is short, so it takes no export's place. */
export function answerText(
  contract: Contract,
  request: Request,
  result: unknown,
  headers: Record<string, string>,
): Response {
  if (!(result instanceof Text) || result.contentType.split(';', 1)[0] !== contract.textType) {
    throw new Error(`${contract.id} answered without the ${contract.textType} that it declares`);
  }
  const { contentType, text } = result;
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: { 'content-type': contentType, ...headers },
  });
}
