import { env } from '#lib/base/env.ts';
import { BASE_LEVEL } from '#lib/base/level-list.ts';
import { Field, inputClass } from '../../../_ui/field.tsx';
import { ActionForm } from '../../action-form.tsx';
import type { FormAction } from '../../use-form-action.ts';

export interface ListMakers {
  upload: FormAction;
  fromPlatformIds: FormAction;
}

/** Two ways to a new version: pasted wallets, or everybody whose Platform ID has a level. */
export function NewList({
  projectId,
  mayAct,
  upload,
  fromPlatformIds,
}: { projectId: string; mayAct: boolean } & ListMakers) {
  const levels = [BASE_LEVEL, ...env().PLATFORM_ID_LEVELS.map(({ name }) => name)];
  return (
    <div className="mt-4 flex flex-wrap items-start gap-3">
      <ActionForm
        action={upload}
        label="Paste a version"
        hidden={{ id: projectId }}
        mayAct={mayAct}
        preview={<p>Creates a draft of it: nothing takes effect before it is published.</p>}
        fields={
          <label className="flex flex-col gap-1.5 text-sm font-medium">
            Wallets
            <textarea
              name="entries"
              required
              rows={6}
              spellCheck={false}
              placeholder={'r…\nr…,250.5'}
              className={`${inputClass} font-mono text-xs`}
            />
            <span className="block text-xs font-normal text-soft">
              One a line; after a comma the most XRP that it may invest, if there is such a limit. For more than 1 MiB
              use the interface.
            </span>
          </label>
        }
      />
      <ActionForm
        action={fromPlatformIds}
        label="From Platform IDs"
        hidden={{ id: projectId }}
        mayAct={mayAct}
        rehearses
        preview={
          <p>
            Creates a draft of every wallet that has a Platform ID and reached the level in the last snapshot of the
            holders.
          </p>
        }
        fields={
          <>
            <label className="flex flex-col gap-1.5 text-sm font-medium">
              Minimum level
              <select name="min_level" className={inputClass}>
                {levels.map((level) => (
                  <option key={level}>{level}</option>
                ))}
              </select>
            </label>
            <Field
              id="list-cap"
              name="cap_xrp"
              label="Maximum XRP per wallet (optional)"
              inputMode="decimal"
              autoComplete="off"
            />
          </>
        }
      />
    </div>
  );
}
