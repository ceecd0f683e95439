import { FilterInput, Filters } from '../filters.tsx';

const FAMILIES = ['project', 'list', 'payment', 'payout', 'account', 'maintenance', 'trustline_monitor', 'webhook'];

/** A time as an input of the type `datetime-local` takes it, in UTC. */
const timeText = (iso: string | undefined): string | undefined => iso?.slice(0, 'yyyy-mm-ddThh:mm'.length);

export const AuditFilters = ({ given }: { given: Record<string, string> }) => (
  <Filters path="/operator/audit">
    <datalist id="audit-families">
      {FAMILIES.map((family) => (
        <option key={family} value={family} />
      ))}
    </datalist>
    <FilterInput name="actor" label="Who" placeholder="administrator:alice" given={given.actor} />
    <FilterInput
      name="action"
      label="What"
      list="audit-families"
      placeholder="project.launch, or project"
      given={given.action}
    />
    <FilterInput name="subject" label="To what" placeholder="proj_…, pay_…, hash" given={given.subject} />
    <FilterInput name="from" label="From (UTC)" type="datetime-local" given={timeText(given.from)} />
    <FilterInput name="to" label="Until (UTC)" type="datetime-local" given={timeText(given.to)} />
  </Filters>
);
