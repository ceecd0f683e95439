/** A move as its memo spells it (docs/verification.md section 2). */
export interface MemoText {
  project: string;
  move: string;
  terms_hash?: string;
  list_hash?: string;
  payment?: string;
}

const MEMBERS: Record<string, (value: unknown) => boolean> = {
  v: (value) => value === 1,
  project: matching(/^proj_[0-9A-Za-z]{22}$/),
  move: matching(/^(launch|pause|resume|end|cancel|list|assign)$/),
  terms_hash: matching(/^[0-9a-f]{64}$/),
  list_hash: matching(/^[0-9a-f]{64}$/),
  payment: matching(/^[0-9A-F]{64}$/),
};

/** The first memo that holds a move, or null. */
export function readMemoText(memos: unknown): MemoText | null {
  if (!Array.isArray(memos)) return null;
  for (const wrapped of memos) {
    const text = decode(wrapped?.Memo?.MemoData);
    if (text !== null && isAction(text)) return text;
  }
  return null;
}

function decode(memoData: unknown): unknown {
  if (typeof memoData !== 'string') return null;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(memoData, 'hex')));
  } catch {
    return null;
  }
}

function isAction(value: unknown): value is MemoText {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.entries(value);
  const needed = ['v', 'project', 'move'].every((name) => Object.hasOwn(value, name));
  return needed && members.every(([name, member]) => Object.hasOwn(MEMBERS, name) && MEMBERS[name]?.(member));
}

function matching(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}
