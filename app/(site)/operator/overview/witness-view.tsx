import { REFUSALS } from '@tranche/witness/protocol.ts';
import type { WitnessResource } from '#lib/ops/status/witnesses/contracts.ts';
import { witnessState } from '../../_data/witness-state.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Address } from '../../_ui/hash.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';

/** One witness: whether it signs, why not, and what it refused lately. */
export function WitnessView({ witness }: { witness: WitnessResource }) {
  const { said, tone } = witnessState(witness);
  const name = witness.name ?? 'Named by no account';
  return (
    <li className="min-w-0 space-y-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 break-words">
          <span className="font-medium">{name}</span>
          {witness.operator !== null && <span className="text-soft">run by {witness.operator}</span>}
          <Address address={witness.key} />
        </p>
        <Badge tone={tone}>{said}</Badge>
      </div>
      {witness.fault !== null && (
        <Notice tone="bad" title={`${name}: ${witness.fault}`}>
          {witness.configured
            ? 'Ask its operator whether it runs, and compare its entry in WITNESSES.'
            : 'Add its key, address and token to WITNESSES, and deploy.'}
        </Notice>
      )}
      {witness.halted !== null && (
        <Notice tone="bad" title={`${name} is halted: ${witness.halted.reason}`}>
          Since <Time at={witness.halted.since} />. Only its operator can resume it.
        </Notice>
      )}
      {witness.refusing.map(({ account, reason, detail }) => (
        <Notice key={account} tone="warn" title={`It signs nothing for an account: ${REFUSALS[reason]}`}>
          <Address address={account} /> <span className="break-words">{detail}</span>
        </Notice>
      ))}
      {witness.reachable && (
        <Facts>
          <Fact name="At ledger">
            {witness.ledger_index === null ? 'Unknown' : formatCount(witness.ledger_index)}
            {witness.ledger_time !== null && (
              <>
                , <Time at={witness.ledger_time} />
              </>
            )}
          </Fact>
          <Fact name="Its ledger servers">
            {witness.servers.length === 0
              ? 'None'
              : witness.servers.map(({ host, ok }) => `${host}${ok ? '' : ' (does not answer)'}`).join(', ')}
          </Fact>
          <Fact name="Signed and refused in 24 hours">
            {formatCount(witness.signed_24h ?? 0)} and {formatCount(witness.refused_24h ?? 0)}
          </Fact>
          <Fact name="Version">{witness.version}</Fact>
        </Facts>
      )}
      {witness.recent_refusals.length > 0 && (
        <Table caption={`Recent refusals of ${name}`} columns={['Refused', 'What', 'Why']}>
          {witness.recent_refusals.map(({ at, reason, kind, purpose }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two refusals may be alike, and nothing of a row is kept
            <tr key={index}>
              <Cell>
                <Time at={at} />
              </Cell>
              <Cell>
                {kind.replaceAll('_', ' ')}
                {purpose !== null && <span className="block font-mono text-xs break-all">{purpose}</span>}
              </Cell>
              <Cell>
                {REFUSALS[reason]}. <span className="font-mono text-xs text-soft">{reason}</span>
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </li>
  );
}
