import { listMaintenances } from '#lib/ops/status/maintenance/maintenance.ts';
import { Card } from '../../_ui/card.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { Field } from '../../_ui/field.tsx';
import { Time } from '../../_ui/time.tsx';
import { ActionForm } from '../action-form.tsx';
import { operatorCtx } from '../session.ts';
import { beginMaintenance, finishMaintenance } from './maintenance-actions.ts';

/** Work on the platform that visitors are told of, above every page. */
export async function Maintenance() {
  const ctx = await operatorCtx();
  const { current, past } = await listMaintenances(ctx, { limit: 1 });
  const mayAct = ctx.actor.role === 'operator';
  const [last] = past;
  return (
    <Card title="Maintenance" lead="Shows a notice on every page and sends an event to subscribed webhooks.">
      {current === null ? (
        <>
          {last?.ended_at != null && (
            <p className="mb-4 text-sm text-soft">
              The last one ended <Time at={last.ended_at} />.
            </p>
          )}
          <ActionForm
            action={beginMaintenance}
            label="Announce maintenance"
            mayAct={mayAct}
            preview={
              <p>Publishes the notice at once. Processing continues: payments are read and tokens are sent as usual.</p>
            }
            fields={
              <>
                <Field
                  id="maintenance-message"
                  name="message"
                  label="What visitors are told"
                  required
                  minLength={3}
                  maxLength={500}
                  autoComplete="off"
                />
                <Field
                  id="maintenance-end"
                  name="expected_end_at"
                  label="Expected to end (UTC, optional)"
                  type="datetime-local"
                />
              </>
            }
          />
        </>
      ) : (
        <div className="space-y-4">
          <Facts>
            <Fact name="Visitors are told">{current.message}</Fact>
            <Fact name="Since">
              <Time at={current.started_at} />, by {current.started_by}
            </Fact>
            {current.expected_end_at !== null && (
              <Fact name="Expected to end">
                <Time at={current.expected_end_at} />
              </Fact>
            )}
          </Facts>
          <ActionForm
            action={finishMaintenance}
            label="End maintenance"
            look="primary"
            mayAct={mayAct}
            preview={<p>Removes the notice and sends an event to subscribed webhooks.</p>}
          />
        </div>
      )}
    </Card>
  );
}
