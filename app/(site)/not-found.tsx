import Link from 'next/link';
import { buttonClass } from './_ui/button.tsx';

export default function NotFoundPage() {
  return (
    <div className="mx-auto max-w-lg py-16 text-center">
      <p className="figures text-sm font-medium text-soft">404</p>
      <h1 className="mt-2 text-3xl font-semibold">There is no such page</h1>
      <p className="mt-3 text-soft">
        The address may be mistyped, or a draft was opened by its name: a preview opens by its id only.
      </p>
      <p className="mt-6">
        <Link href="/" prefetch={false} className={buttonClass('primary')}>
          To the sales
        </Link>
      </p>
    </div>
  );
}
