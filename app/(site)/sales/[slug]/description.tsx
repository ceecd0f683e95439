const SHOWN = 420;

/** Where a long text is cut: after a word, so that no word is broken. */
const cutOf = (text: string): number => {
  const space = text.lastIndexOf(' ', SHOWN);
  return space < SHOWN / 2 ? SHOWN : space;
};

/** What the sale says of itself. A long text opens on demand, also before any script has loaded. */
export function Description({ text }: { text: string }) {
  if (text === '') return null;
  const className = 'whitespace-pre-line break-words text-base text-soft sm:text-lg';
  if (text.length <= SHOWN * 1.25) return <p className={`mt-4 ${className}`}>{text}</p>;
  const cut = cutOf(text);
  return (
    <div className={`mt-4 ${className}`}>
      <p>{text.slice(0, cut)}…</p>
      <details className="group mt-3">
        <summary className="link inline-flex text-sm group-open:hidden">Read on</summary>
        <p>…{text.slice(cut).trimStart()}</p>
      </details>
    </div>
  );
}
