/** Where a command writes: results to standard output, everything else to standard error. */
export interface CommandOutput {
  out: (text: string) => void;
  err: (text: string) => void;
}
