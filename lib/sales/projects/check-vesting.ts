import type { ProjectInput } from '../schemas.ts';
import type { Faults } from './faults.ts';

const ALL_BPS = 10_000;
const MAX_SPAN_DAYS = 3_650;

/** Either all tokens are due at once, or the rest in periods that end within ten years. */
export function checkVesting({ vesting }: Pick<ProjectInput, 'vesting'>, faults: Faults): void {
  if (vesting == null) return;
  if (vesting.immediate_bps === ALL_BPS) {
    for (const field of ['periods', 'cliff_days', 'period_days'] as const) {
      if (vesting[field] !== 0)
        faults.add(`vesting.${field}`, 'must be 0 when immediate_bps is 10000: all is due at once');
    }
    return;
  }
  for (const field of ['periods', 'period_days'] as const) {
    if (vesting[field] === 0) faults.add(`vesting.${field}`, 'must be at least 1 when immediate_bps is below 10000');
  }
  if (vesting.cliff_days + vesting.periods * vesting.period_days > MAX_SPAN_DAYS) {
    faults.add('vesting', `must be over within ${MAX_SPAN_DAYS} days: cliff_days + periods * period_days`);
  }
}
