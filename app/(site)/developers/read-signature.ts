export interface Signed {
  public_key: string;
  signature: string;
}

/** What the script printed, as it was pasted; null when it is something else. */
export function readSignature(text: string): Signed | null {
  try {
    const read = JSON.parse(text.trim()) as Partial<Signed> | null;
    if (typeof read?.public_key !== 'string' || typeof read.signature !== 'string') return null;
    return { public_key: read.public_key.trim(), signature: read.signature.trim() };
  } catch {
    return null;
  }
}
