import type { Usage } from './usage.ts';

const LOOK_EVERY_MS = 1_000;

/** Resident memory of each instance, from the first to the last second. */
export interface Memory {
  /** Bytes, an instance after the other. */
  samples: number[][];
  end(): number[][];
}

/** Looks at the instances again and again until it is ended. */
export function watchMemory(look: () => Promise<Usage[]>): Memory {
  const samples: number[][] = [];
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .then((usages) => {
        for (const [index, { rssBytes }] of usages.entries()) {
          samples[index] ??= [];
          samples[index].push(rssBytes);
        }
      })
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_EVERY_MS);
  return {
    samples,
    end() {
      clearInterval(timer);
      return samples;
    },
  };
}

const highest = (values: readonly number[]): number => Math.max(0, ...values);

/** The highest of the second half of the samples to the highest of the first: about 1 for what does not grow. */
export function growthOf(samples: readonly number[]): number {
  const half = Math.floor(samples.length / 2);
  return highest(samples.slice(half)) / highest(samples.slice(0, half));
}
