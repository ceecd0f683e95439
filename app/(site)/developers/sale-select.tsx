'use client';

import { FieldFault, inputClass } from '../_ui/field.tsx';
import { useResource } from './use-resource.ts';

/** Events of which sale to receive; an empty text is every one. */
export function SaleSelect({
  chosen,
  onChoose,
  fault,
}: {
  chosen: string;
  onChoose: (projectId: string) => void;
  fault: string | undefined;
}) {
  const { data } = useResource<{ projects: { id: string; name: string }[] }>(null, '/api/projects?limit=100');
  return (
    <label className="flex flex-col gap-1.5 text-sm font-medium">
      Sale
      <select
        className={inputClass}
        value={chosen}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? undefined : 'sale-fault'}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">Every sale, including future ones</option>
        {data?.projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <FieldFault id="sale-fault" fault={fault} />
    </label>
  );
}
