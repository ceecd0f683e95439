import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_OPEN_STREAMS } from '#lib/http/open-streams.ts';
import { openBody, STALLED_AFTER_MS } from '#lib/http/stream.ts';

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

describe('the streams that are open in a process', () => {
  afterEach(() => vi.useRealTimers());

  async function* endless() {
    for (;;) yield 'row\n';
  }
  const ignore = () => undefined;
  const openAll = () => Promise.all(Array.from({ length: MAX_OPEN_STREAMS }, () => openBody(endless(), ignore)));
  const refused = {
    code: 'service_unavailable',
    headers: { 'retry-after': '5' },
    detail: expect.stringContaining('Try again in 5 s'),
  };

  it('are two: the next one is refused before it reads a row, and taken once a client has gone', async () => {
    const [first, second] = await openAll();
    let asked = false;
    async function* unread() {
      asked = true;
      yield 'row\n';
    }
    await expect(openBody(unread(), ignore)).rejects.toMatchObject(refused);
    expect(asked).toBe(false);
    await first?.cancel();
    const third = await openBody(endless(), ignore);
    await expect(openBody(endless(), ignore)).rejects.toMatchObject(refused);
    await Promise.all([second?.cancel(), third.cancel()]);
  });

  it('give their place back when they end, fail, or fail before they begin', async () => {
    async function* short() {
      yield 'row\n';
    }
    async function* failing() {
      yield 'row\n';
      throw new Error('no such table');
    }
    // biome-ignore lint/correctness/useYield: it fails before its first row
    async function* failingAtOnce(): AsyncGenerator<string> {
      throw new Error('no such table');
    }
    for (let n = 0; n <= MAX_OPEN_STREAMS; n += 1) {
      expect(await new Response(await openBody(short(), ignore)).text()).toBe('row\n');
      await expect(new Response(await openBody(failing(), ignore)).text()).rejects.toThrow();
      await expect(openBody(failingAtOnce(), ignore)).rejects.toThrow('no such table');
    }
    for (const body of await openAll()) await body.cancel();
  });

  it('keep their place until the page that is being read has come, when the client goes away meanwhile', async () => {
    let give = () => {};
    async function* slow() {
      yield 'first\n';
      await new Promise<void>((resolve) => {
        give = resolve;
      });
      yield 'second\n';
    }
    const failures: unknown[] = [];
    const [other, freed] = await openAll();
    await freed?.cancel();
    const reader = (await openBody(slow(), (failure) => failures.push(failure))).getReader();
    await reader.read();
    const reading = reader.read();
    const gone = reader.cancel();
    await expect(openBody(endless(), ignore)).rejects.toMatchObject(refused);
    give();
    await Promise.all([reading, gone]);
    expect(failures).toEqual([]);
    await Promise.all([other?.cancel(), (await openBody(endless(), ignore)).cancel()]);
  });

  it('are broken off when their client takes nothing for a while, so that nobody keeps the place by doing nothing', async () => {
    vi.useFakeTimers();
    const bodies = await openAll();
    const reader = bodies[0]?.getReader();
    await vi.advanceTimersByTimeAsync(STALLED_AFTER_MS - 1);
    await reader?.read();
    await vi.advanceTimersByTimeAsync(1);
    const next = await openBody(endless(), ignore);
    await expect(bodies[1]?.getReader().read()).rejects.toThrow();
    expect(await reader?.read()).toMatchObject({ done: false });
    await Promise.all([next.cancel(), reader?.cancel()]);
  });
});
