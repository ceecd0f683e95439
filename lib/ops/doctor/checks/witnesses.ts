import { env, envSchema } from '#lib/base/env.ts';
import { readWitnessStatus, type WitnessEntry } from '#lib/xrpl/witnesses.ts';
import { defineCheck, type Finding, fault, ok, reasonOf, warning } from '../finding.ts';

async function witnessFinding(entry: WitnessEntry): Promise<Finding> {
  const check = `witness ${entry.key}`;
  try {
    const { key, name, version, ledger_index: ledger, halted } = await readWitnessStatus(entry);
    if (key !== entry.key) {
      return fault(check, `${name} answers with the key ${key}`, 'Correct its entry in WITNESSES.');
    }
    const found = `${name}, version ${version}, at ledger ${ledger}`;
    if (halted === null) return ok(check, found);
    return warning(check, `${found}, halted since ${halted.since}`, 'Ask its operator: only they resume it.');
  } catch (error) {
    return fault(check, reasonOf(error), 'Correct its entry in WITNESSES, or ask its operator whether it runs.');
  }
}

/** Each witness that WITNESSES names: it answers, with the key that stands there, and is not halted. */
export const witnessesCheck = defineCheck({
  name: 'witnesses',
  needs: envSchema().keyof().options,
  timeoutMs: 10_000,
  run: () => Promise.all(env().WITNESSES.map(witnessFinding)),
});
