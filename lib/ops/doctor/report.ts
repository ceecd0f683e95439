import type { Diagnosis } from './examine.ts';
import type { Finding } from './types.ts';

const MARKS: Record<Finding['status'], string> = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' };
const VERDICTS: Record<Finding['status'], string> = {
  ok: 'Everything is well.',
  warning: 'It works; the warnings say what could be better.',
  fault: 'Something is wrong: each fault says what to do.',
};

/** The diagnosis for people: a line a finding, with what to do beneath. */
export function reportText({ status, findings }: Diagnosis): string {
  const lines = findings.flatMap(({ status: mark, check, found, advice }) => [
    `${MARKS[mark]} ${check}: ${found}`,
    ...(advice === null ? [] : [`        ${advice}`]),
  ]);
  return [...lines, '', VERDICTS[status]].join('\n');
}
