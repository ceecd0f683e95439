/** Milliseconds since 1970 with fractions: comparable between the processes of one machine. */
export const nowMs = (): number => performance.timeOrigin + performance.now();
