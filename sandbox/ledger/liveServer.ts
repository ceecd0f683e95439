import { type RawData, WebSocket } from 'ws';
import { isObject, type JsonObject } from './json.ts';

/** A live server cannot be asked, or what it answers is no use here. */
export class ForkError extends Error {}

const ANSWER_TIMEOUT_MS = 30_000;

type Waiting = { readonly give: (answer: JsonObject) => void; readonly fail: (error: Error) => void };

/** A connection that asks another server. */
export class LiveServer {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: RawData) => this.received(String(data)));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      for (const { fail } of this.waiting.values()) fail(new ForkError(`${socket.url} closed the connection`));
    });
  }

  /** Throws ForkError when nobody answers at that address (ws:// or wss://). */
  static async connect(url: string): Promise<LiveServer> {
    let socket: WebSocket;
    try {
      socket = new WebSocket(url, { handshakeTimeout: ANSWER_TIMEOUT_MS });
    } catch (error) {
      throw new ForkError(`${url} is no address of a WebSocket`, { cause: error });
    }
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', (error) => reject(new ForkError(`${url} does not answer: ${error.message}`)));
    });
    return new LiveServer(socket);
  }

  private received(text: string): void {
    const answer: unknown = JSON.parse(text);
    if (!isObject(answer) || typeof answer.id !== 'number') return;
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    waiting?.give(answer);
  }

  /** The result of a request, or undefined when the server says that there is no such entry or account. */
  async find(request: JsonObject): Promise<JsonObject | undefined> {
    this.lastId += 1;
    const id = this.lastId;
    const answer = await new Promise<JsonObject>((give, fail) => {
      this.waiting.set(id, { give, fail });
      const timer = setTimeout(
        () => fail(new ForkError(`${this.socket.url} did not answer in time`)),
        ANSWER_TIMEOUT_MS,
      );
      timer.unref();
      this.socket.send(JSON.stringify({ ...request, id, api_version: 2 }));
    });
    if (isObject(answer.result)) return answer.result;
    if (answer.error === 'entryNotFound' || answer.error === 'actNotFound') return undefined;
    throw new ForkError(`${this.socket.url} answers ${String(request.command)} with ${String(answer.error)}`);
  }

  /** The result of a request that every server can answer. */
  async ask(request: JsonObject): Promise<JsonObject> {
    const result = await this.find(request);
    if (!result) throw new ForkError(`${this.socket.url} does not find what ${String(request.command)} asks for`);
    return result;
  }

  close(): void {
    this.socket.close();
  }
}
