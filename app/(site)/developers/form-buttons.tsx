import { Button } from '../_ui/button.tsx';
import { Notice } from '../_ui/notice.tsx';

/** How a form that can be left ends: what went wrong, what sends it, and the way out. */
export function FormButtons({
  fault,
  label,
  onCancel,
  isBusy,
}: {
  fault: string | null;
  /** Of the button that sends it. */
  label: string;
  onCancel: () => void;
  isBusy: boolean;
}) {
  return (
    <>
      {fault !== null && (
        <Notice tone="bad" isAlert>
          {fault}
        </Notice>
      )}
      <div className="flex gap-3">
        <Button type="submit" look="primary" isUnavailable={isBusy}>
          {label}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}
