/** What one answer may cost. */
export const LIMITS = {
  /** Requests to the model; in the last one it may call no tool. */
  rounds: 6,
  /** Look-ups in all. */
  calls: 12,
  /** JSON of one result, and of all together. */
  resultBytes: 16 * 1024,
  allResultBytes: 64 * 1024,
  /** JSON of one call's arguments. */
  argumentLength: 8 * 1024,
  /** Characters of the reply. */
  replyLength: 12_000,
  replyTokens: 4_000,
  /** Everything that the server sends in answer to one request. */
  responseBytes: 2 * 1024 * 1024,
  /** Tries of one request, before its first byte. */
  attempts: 3,
  /** Silence within an answer; models that think first are silent for long. */
  idleMs: 30_000,
} as const;
