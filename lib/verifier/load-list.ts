import { parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { newSha256 } from '@tranche/rules/sha256.ts';
import type { AllowList } from '@tranche/rules/types.ts';
import { z } from 'zod';

const line = z.object({
  wallet_address: z.string(),
  cap_xrp: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : parseDecimal(text, XRP_DECIMALS))),
});

/** Reads a published allowlist and the SHA-256 of its bytes. */
export async function loadList(text: AsyncIterable<string>): Promise<{ hash: string; entries: AllowList }> {
  const hash = newSha256();
  const entries = new Map<string, bigint | null>();
  let rest = '';
  for await (const chunk of text) {
    hash.update(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      const entry = line.parse(JSON.parse(each));
      entries.set(entry.wallet_address, entry.cap_xrp);
    }
  }
  return { hash: hash.hex(), entries };
}
