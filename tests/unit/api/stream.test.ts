import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  MAX_OPEN_STREAMS,
  MAY_BE_REPLACED_AFTER_MS,
  openBody,
  RATE_COUNTS_AFTER_MS,
  STALLED_AFTER_MS,
  STREAMS_PER_CALLER,
} from '#lib/api/stream.ts';

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
  const open = (caller: string, onBreakOff: (why: string) => void = ignore) =>
    openBody(endless(), ignore, { caller, onBreakOff });
  const openAll = () => Promise.all(Array.from({ length: STREAMS_PER_CALLER }, () => open('192.0.2.1')));
  const refused = {
    code: 'service_unavailable',
    headers: { 'retry-after': '5' },
    isExpected: true,
    detail: expect.stringContaining('Try again in 5 s'),
  };

  it('are two a caller: the next one is refused before it reads a row, and taken once a client has gone; another caller gets through', async () => {
    const [first, second] = await openAll();
    let asked = false;
    async function* unread() {
      asked = true;
      yield 'row\n';
    }
    await expect(openBody(unread(), ignore, { caller: '192.0.2.1' })).rejects.toMatchObject(refused);
    expect(asked).toBe(false);
    const others = await open('192.0.2.2');
    await first?.cancel();
    const third = await open('192.0.2.1');
    await expect(open('192.0.2.1')).rejects.toMatchObject(refused);
    for (const body of [second, third, others]) await body?.cancel();
  });

  it('are eight of all callers in one IPv6 /48', async () => {
    const bodies = await Promise.all(Array.from({ length: 8 }, (_, n) => open(`32.1.13.184.0.1.${n}/56`)));
    await expect(open('32.1.13.184.0.1.77/56')).rejects.toMatchObject(refused);
    bodies.push(await open('32.1.13.184.0.2.77/56'));
    for (const body of bodies) await body.cancel();
  });

  it('read two pages at a time, however many there are', async () => {
    let [reading, most] = [0, 0];
    async function* counted() {
      for (let n = 0; n < 5; n += 1) {
        reading += 1;
        most = Math.max(most, reading);
        await new Promise(setImmediate);
        reading -= 1;
        yield 'row\n';
      }
    }
    const texts = Array.from({ length: 10 }, async (_, n) =>
      new Response(await openBody(counted(), ignore, { caller: `192.0.2.${n}` })).text(),
    );
    expect(await Promise.all(texts)).toEqual(Array(10).fill('row\n'.repeat(5)));
    expect(most).toBe(2);
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
    const caller = '192.0.2.1';
    for (let n = 0; n <= STREAMS_PER_CALLER; n += 1) {
      expect(await new Response(await openBody(short(), ignore, { caller })).text()).toBe('row\n');
      await expect(new Response(await openBody(failing(), ignore, { caller })).text()).rejects.toThrow();
      await expect(openBody(failingAtOnce(), ignore, { caller })).rejects.toThrow('no such table');
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
    const reader = (await openBody(slow(), (failure) => failures.push(failure), { caller: '192.0.2.1' })).getReader();
    await reader.read();
    const reading = reader.read();
    const gone = reader.cancel();
    await expect(open('192.0.2.1')).rejects.toMatchObject(refused);
    give();
    await Promise.all([reading, gone]);
    expect(failures).toEqual([]);
    await Promise.all([other?.cancel(), (await open('192.0.2.1')).cancel()]);
  });

  it('are broken off when their client takes nothing for a while, so that nobody keeps the place by doing nothing', async () => {
    vi.useFakeTimers();
    const heard: string[] = [];
    const bodies = await Promise.all([open('192.0.2.1'), open('192.0.2.1', (why) => heard.push(why))]);
    const reader = bodies[0]?.getReader();
    await vi.advanceTimersByTimeAsync(STALLED_AFTER_MS - 1);
    await reader?.read();
    await vi.advanceTimersByTimeAsync(1);
    const next = await open('192.0.2.1');
    // By its name Next.js knows that nothing has failed: it is told as information, and no error stands in the log.
    await expect(bodies[1]?.getReader().read()).rejects.toMatchObject({ name: 'AbortError' });
    expect(heard).toEqual(['It took nothing for too long']);
    expect(await reader?.read()).toMatchObject({ done: false });
    await Promise.all([next.cancel(), reader?.cancel()]);
  });

  it('are broken off when their client takes a little now and then, below the least rate all in all', async () => {
    vi.useFakeTimers();
    const heard: string[] = [];
    const reader = (await open('192.0.2.1', (why) => heard.push(why))).getReader();
    const dripping = async () => {
      for (;;) {
        await reader.read();
        await vi.advanceTimersByTimeAsync(STALLED_AFTER_MS - 1);
      }
    };
    await expect(dripping()).rejects.toMatchObject({ name: 'AbortError' });
    expect(heard).toEqual(['It took too little for too long']);
    expect(performance.now()).toBeGreaterThan(RATE_COUNTS_AFTER_MS);
  });

  it('give the place of the slowest client to a newcomer while all are taken, and not before it has had its time', async () => {
    vi.useFakeTimers();
    const broken: string[] = [];
    const callers = Array.from({ length: MAX_OPEN_STREAMS }, (_, n) => `198.51.100.${n}`);
    const bodies = await Promise.all(callers.map((caller) => open(caller, () => broken.push(caller))));
    await expect(open('192.0.2.1')).rejects.toMatchObject(refused);
    await vi.advanceTimersByTimeAsync(MAY_BE_REPLACED_AFTER_MS);
    const [slow, ...fast] = bodies.map((body) => body.getReader());
    for (const reader of fast) await reader.read();
    for (const reader of fast) await reader.read();
    const newcomer = await open('192.0.2.1');
    expect(broken).toEqual(['198.51.100.0']);
    await expect(slow?.read()).rejects.toMatchObject({ name: 'AbortError' });
    for (const reader of fast) await reader.cancel();
    await newcomer.cancel();
  });
});
