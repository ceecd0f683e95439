'use client';

import { inputClass } from '../_ui/field.tsx';
import { useResource } from './use-resource.ts';

/** Events of which sale to receive; an empty text is every one. */
export function SaleSelect({ chosen, onChoose }: { chosen: string; onChoose: (projectId: string) => void }) {
  const { data } = useResource<{ projects: { id: string; name: string }[] }>(null, '/api/projects?limit=100');
  return (
    <label className="flex flex-col gap-1.5 text-sm font-medium">
      Sale
      <select className={inputClass} value={chosen} onChange={(event) => onChoose(event.target.value)}>
        <option value="">Every sale, including future ones</option>
        {data?.projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
