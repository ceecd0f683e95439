import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { Card } from '../../_ui/card.tsx';
import { setupTitle, WalletSetup } from './wallet-setup.tsx';

/** What is left to do once a sale is over: to be able to receive what was bought. */
export function ReceiveCard({ project, state }: { project: ProjectResource; state: SaleState }) {
  if (state.key === 'cancelled') return null;
  return (
    <Card title="To receive your tokens" id="receive" lead="The sale is over: a payment now would be refunded.">
      <h3 className="mb-2 font-semibold">{setupTitle(project.token)}</h3>
      <WalletSetup project={project} />
    </Card>
  );
}
