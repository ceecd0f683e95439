import { describe, expect, it } from 'vitest';
import { openBody } from '#lib/http/stream.ts';

const noFailure = (failure: unknown) => {
  throw failure;
};

describe('a streamed body', () => {
  it('is the chunks in their order', async () => {
    async function* chunks() {
      yield 'one\n';
      yield 'zwölf\n';
    }
    expect(await new Response(await openBody(chunks(), noFailure)).text()).toBe('one\nzwölf\n');
  });

  it('may be empty', async () => {
    async function* chunks() {}
    expect(await new Response(await openBody(chunks(), noFailure)).text()).toBe('');
  });

  it('makes no chunk before the client has taken the one before it', async () => {
    let made = 0;
    async function* chunks() {
      for (;;) yield String(++made);
    }
    const reader = (await openBody(chunks(), noFailure)).getReader();
    expect(made).toBe(1);
    await reader.read();
    expect(made).toBe(1);
    await reader.read();
    await reader.read();
    expect(made).toBe(3);
    await reader.cancel();
    expect(made).toBe(3);
  });

  it('fails before it begins when its first chunk fails', async () => {
    const refusing = { next: () => Promise.reject(new Error('no such table')) };
    const chunks: AsyncIterable<string> = { [Symbol.asyncIterator]: () => refusing };
    await expect(openBody(chunks, noFailure)).rejects.toThrow('no such table');
  });

  it('breaks off where a later chunk fails, and tells why to us only', async () => {
    async function* chunks() {
      yield 'one';
      throw new Error('the password is 1234');
    }
    const failures: unknown[] = [];
    const body = await openBody(chunks(), (failure) => failures.push(failure));
    const read = new Response(body).text();
    await expect(read).rejects.toThrow('The rest of the body could not be read');
    expect(failures).toEqual([new Error('the password is 1234')]);
  });

  it('stops reading when the client goes away', async () => {
    let stopped = false;
    let made = 0;
    async function* chunks() {
      try {
        for (;;) yield String(++made);
      } finally {
        stopped = true;
      }
    }
    const reader = (await openBody(chunks(), noFailure)).getReader();
    await reader.read();
    await reader.cancel();
    expect({ stopped, made }).toEqual({ stopped: true, made: 1 });
  });
});
