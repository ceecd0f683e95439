import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBench } from './bench.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

describe('a schedule', () => {
  test('publishes at each of its times, also when several are skipped at once', async () => {
    const { scheduleId } = await bench.client.schedules.create({
      destination: `${bench.destinationUrl}/tick`,
      cron: '0 * * * *',
      body: '{"tick":true}',
      scheduleId: 'hourly',
    });
    expect(scheduleId).toBe('hourly');
    await bench.advance(3600);
    expect(bench.callbacks).toHaveLength(1);
    expect(bench.callbacks[0]).toMatchObject({
      url: '/tick',
      body: '{"tick":true}',
      headers: { 'upstash-schedule-id': 'hourly', 'content-type': 'application/json' },
    });
    expect(await bench.advance(3 * 3600)).toMatchObject({ deliveries: 3, settled: true });
  });

  test('is listed and read with its next time', async () => {
    await bench.client.schedules.create({
      destination: bench.destinationUrl,
      cron: 'CRON_TZ=Europe/Berlin 30 9 * * *',
      scheduleId: 'daily',
      retries: 1,
    });
    const schedule = await bench.client.schedules.get('daily');
    expect(schedule).toMatchObject({
      scheduleId: 'daily',
      destination: bench.destinationUrl,
      cron: 'CRON_TZ=Europe/Berlin 30 9 * * *',
      isPaused: false,
      retries: 1,
    });
    const nextTime = new Date(schedule.nextScheduleTime ?? 0).toLocaleTimeString('en-GB', {
      timeZone: 'Europe/Berlin',
    });
    expect(nextTime).toBe('09:30:00');
    expect(await bench.client.schedules.list()).toHaveLength(1);
  });

  test('shows a redacted header as its hash, and sends it whole', async () => {
    await bench.client.schedules.create({
      destination: bench.destinationUrl,
      cron: '0 * * * *',
      scheduleId: 'secret',
      method: 'GET',
      headers: { Authorization: 'Bearer secret', 'X-Other': 'plain' },
      redact: { header: ['Authorization'] },
    });
    const shown = `REDACTED:${createHash('sha256').update('Bearer secret').digest('hex')}`;
    const { header } = await bench.client.schedules.get('secret');
    expect(header).toMatchObject({ authorization: [shown], 'x-other': ['plain'] });
    await bench.advance(3600);
    expect(bench.callbacks).toMatchObject([
      { method: 'GET', headers: { authorization: 'Bearer secret', 'x-other': 'plain' } },
    ]);
  });

  test('with a redacted body is refused: this stand-in would show it', async () => {
    const create = bench.client.schedules.create({
      destination: bench.destinationUrl,
      cron: '0 * * * *',
      redact: { body: true },
    });
    await expect(create).rejects.toThrow('not supported');
  });

  test('of the same id replaces the one before', async () => {
    const schedule = { destination: bench.destinationUrl, scheduleId: 'same' };
    await bench.client.schedules.create({ ...schedule, cron: '* * * * *' });
    await bench.client.schedules.create({ ...schedule, cron: '0 * * * *' });
    expect(await bench.client.schedules.list()).toMatchObject([{ cron: '0 * * * *' }]);
    expect(await bench.advance(3600)).toMatchObject({ deliveries: 1 });
  });

  test('that is deleted publishes no more', async () => {
    const { scheduleId } = await bench.client.schedules.create({
      destination: bench.destinationUrl,
      cron: '* * * * *',
    });
    await bench.client.schedules.delete(scheduleId);
    expect(await bench.advance(600)).toMatchObject({ deliveries: 0 });
    await expect(bench.client.schedules.get(scheduleId)).rejects.toThrow('not found');
  });

  test('rests while paused and goes on from then', async () => {
    await bench.client.schedules.create({ destination: bench.destinationUrl, cron: '0 * * * *', scheduleId: 's' });
    await bench.client.schedules.pause({ schedule: 's' });
    expect(await bench.advance(7200)).toMatchObject({ deliveries: 0 });
    await bench.client.schedules.resume({ schedule: 's' });
    expect(await bench.advance(3600)).toMatchObject({ deliveries: 1 });
  });

  test('with a pattern that is no cron is refused', async () => {
    const create = bench.client.schedules.create({ destination: bench.destinationUrl, cron: 'every day' });
    await expect(create).rejects.toThrow('invalid cron');
  });
});
