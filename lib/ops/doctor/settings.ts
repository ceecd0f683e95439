import { type Env, envSchema } from '#lib/base/env.ts';
import { type Finding, fault } from './types.ts';

export const SETTING_NAMES = envSchema.keyof().options;

export interface ReadSettings {
  /** The valid ones; defaults included. */
  values: Partial<Env>;
  findings: Finding[];
  /** Names of those that are missing or not valid. */
  faulty: ReadonlySet<string>;
}

/** Reads each setting by itself, so that one fault hides no other. An empty value counts as not set. Values are never quoted. */
export function readSettings(source: Record<string, string | undefined>): ReadSettings {
  const findings: Finding[] = [];
  const faulty = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(envSchema.shape)) {
    const given = source[name] === '' ? undefined : source[name];
    const read = schema.safeParse(given);
    if (read.success) {
      values[name] = read.data;
      continue;
    }
    faulty.add(name);
    const found =
      given === undefined ? 'is not set' : [...new Set(read.error.issues.map(({ message }) => message))].join(', ');
    findings.push(fault(`setting ${name}`, found, `Set ${name}: ${schema.description}.`));
  }
  return { values, findings, faulty };
}
