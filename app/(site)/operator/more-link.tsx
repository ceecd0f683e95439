import Link from 'next/link';
import { addressWith } from './query-of.ts';

/** The next page of a list, with the same filters. */
export const MoreLink = ({
  path,
  given,
  cursor,
  label,
}: {
  path: string;
  given: Record<string, string>;
  cursor: string | null;
  label: string;
}) =>
  cursor === null ? null : (
    <p className="mt-8 text-center text-sm">
      <Link className="link" prefetch={false} href={addressWith(path, given, { cursor })}>
        {label}
      </Link>
    </p>
  );
