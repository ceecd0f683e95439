import type { PlatformIdProfile, PlatformIdStatus } from '#lib/accounts/platform-ids/contracts.ts';
import { Amount, Xrp } from '../../_ui/amounts.tsx';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { formatCount, formatCounted } from '../../_ui/format.ts';
import { Time } from '../../_ui/time.tsx';
import { percentText } from '../../holders/percent-text.ts';

const BADGE_WORDS: Record<string, string> = {
  early_investor: 'Early investor',
  investor: 'Investor',
  multi_project_investor: 'Several projects',
  top_100_holder: 'Top 100 holder',
  one_year_member: 'One year',
};

/** The Platform ID and what it says; without one, why, and what leads to it. */
export function Identity({ status, profile }: { status: PlatformIdStatus; profile: PlatformIdProfile | null }) {
  if (profile === null) {
    return (
      <Card title="Platform ID">
        <p className="text-sm">{status.explanation ?? 'This wallet has none yet.'}</p>
        {status.next_step !== null && <p className="mt-2 text-sm text-soft">{status.next_step}</p>}
        {status.balance !== null && (
          <Facts>
            <Fact name="Held, by the last count">
              <Amount value={status.balance} unit="tokens" />
            </Fact>
          </Facts>
        )}
      </Card>
    );
  }
  return (
    <Card title="Platform ID" aside={profile.level !== null && <Badge tone="accent">{profile.level}</Badge>}>
      <p className="figures font-mono text-2xl font-semibold tracking-tight">{profile.platform_id}</p>
      {profile.badges.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {profile.badges.map((badge) => (
            <li key={badge.name}>
              <Badge tone="good">{BADGE_WORDS[badge.name] ?? badge.name}</Badge>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4">
        <Facts>
          {profile.holdings !== null && (
            <Fact name="Holds">
              <Amount value={profile.holdings} unit="tokens" />
            </Fact>
          )}
          {profile.rank !== null && <Fact name="Rank">{formatCount(profile.rank)}</Fact>}
          {profile.share !== null && <Fact name="Share">{percentText(profile.share)}</Fact>}
          <Fact name="Investments">
            {formatCount(profile.investments.count)} in {formatCounted(profile.investments.projects, 'sale')}
          </Fact>
          <Fact name="Invested">
            <Xrp value={profile.investments.total_xrp} />
          </Fact>
          {profile.synced_at !== null && (
            <Fact name="Counted">
              <Time at={profile.synced_at} />
            </Fact>
          )}
        </Facts>
      </div>
    </Card>
  );
}
