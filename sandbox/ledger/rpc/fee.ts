import { BASE_LEVEL, levelDrops } from '../feeMetrics.ts';
import type { Handler } from './types.ts';

/** `fee`: what the open ledger asks for and how much waits. */
export const fee: Handler = ({ chain, node }) => {
  const { metrics, queue, rules } = chain;
  const required = chain.requiredLevel;
  const least = queue.isFull ? (queue.byFee().at(-1)?.level ?? 0n) + 1n : BASE_LEVEL;
  const openDrops = levelDrops(required, rules.baseFeeDrops);
  const roundsDown = rules.baseFeeDrops > 0n && (openDrops * BASE_LEVEL) / rules.baseFeeDrops < required;
  return {
    current_ledger_size: String(chain.openTransactions.size),
    current_queue_size: String(queue.size),
    drops: {
      base_fee: String(rules.baseFeeDrops),
      median_fee: String(levelDrops(metrics.multiplier, rules.baseFeeDrops)),
      minimum_fee: String(levelDrops(least, rules.baseFeeDrops)),
      open_ledger_fee: String(roundsDown ? openDrops + 1n : openDrops),
    },
    expected_ledger_size: String(metrics.expectedSize),
    ledger_current_index: node.openIndex,
    levels: {
      median_level: String(metrics.multiplier),
      minimum_level: String(least),
      open_ledger_level: String(required),
      reference_level: String(BASE_LEVEL),
    },
    ...(metrics.maxQueueSize === undefined ? {} : { max_queue_size: String(metrics.maxQueueSize) }),
  };
};
