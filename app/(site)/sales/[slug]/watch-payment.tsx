import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';

/** Asks for a wallet or a transaction; a plain form, so that it works before any script has loaded. */
export function WatchPayment({ slug, asked, fault }: { slug: string; asked: string; fault?: string | undefined }) {
  return (
    <form action={`/sales/${slug}#watch`} className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-64">
        <Field
          id="watch-for"
          name="watch"
          label="Your wallet’s address, or the hash of your payment"
          defaultValue={asked}
          placeholder="r… or 64 hex digits"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          required
          fault={fault}
        />
      </div>
      <Button type="submit" look="primary">
        Watch
      </Button>
    </form>
  );
}
