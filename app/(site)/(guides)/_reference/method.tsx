const COLOURS: Readonly<Record<string, string>> = {
  get: 'text-good',
  post: 'text-accent',
  patch: 'text-warn',
  put: 'text-warn',
  delete: 'text-bad',
};

/** The method of an operation as it is written in a request. */
export const Method = ({ method }: { method: string }) => (
  <span className={`font-mono text-xs font-semibold uppercase ${COLOURS[method] ?? 'text-soft'}`}>{method}</span>
);
