import { type ReactNode, Suspense } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Card } from '../../_ui/card.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { Address, Digest } from '../../_ui/hash.tsx';
import { Signers } from '../../_ui/signers.tsx';
import { Tabs } from '../../_ui/tabs.tsx';
import { CustodyNow, CustodyNowAwaited, WitnessNow } from './custody-now.tsx';
import { IssuerPowers, IssuerPowersAwaited } from './issuer-powers.tsx';
import { ProjectLink } from './project-link.tsx';
import { TokenSupply } from './token-supply.tsx';

/** What is behind the sale, a tab each: what the ledger shows first, then what the project says. One without content is left out. */
export function About({ project }: { project: ProjectResource }) {
  const { id, team, links, documents } = project;
  const parts: { label: string; title?: string; has: boolean; content: ReactNode }[] = [
    {
      label: 'Issuer',
      title: 'What the issuer can still do',
      has: true,
      // What asks the ledger: the page waits for no server of it.
      content: (
        <Suspense fallback={<IssuerPowersAwaited projectId={id} />}>
          <IssuerPowers project={project} />
        </Suspense>
      ),
    },
    {
      label: 'Supply',
      title: 'Where the tokens are',
      has: true,
      content: <TokenSupply project={project} />,
    },
    { label: 'Custody', title: 'Who can move the money', has: true, content: <Custody project={project} /> },
    { label: 'Team', has: team.length > 0, content: <Team team={team} /> },
    { label: 'Links', has: links.length > 0, content: <Links links={links} /> },
    { label: 'Documents', has: documents.length > 0, content: <Documents documents={documents} /> },
  ];
  return (
    <Card title="Token and project" id="about">
      <Tabs
        name="Token and project"
        panelClass="mt-4 noscript:mt-6"
        parts={parts
          .filter(({ has }) => has)
          .map(({ label, title, content }) => ({
            label,
            content: (
              <>
                <h3 className={title === undefined ? 'mb-2 hidden font-semibold noscript:block' : 'mb-2 font-semibold'}>
                  {title ?? label}
                </h3>
                {content}
              </>
            ),
          }))}
      />
    </Card>
  );
}

/**
 * Who must sign for the XRP and the tokens, by the terms. Without the deposit address, which is shown only while a payment
 * would buy something.
 */
function Custody({ project }: { project: ProjectResource }) {
  const { custody, distributor, treasury, token } = project;
  const issuer = token.kind === 'iou' ? token.issuer : null;
  const party = treasury === distributor ? 'the distributor' : treasury === issuer ? 'the token’s issuer' : null;
  return (
    <div className="space-y-4 text-sm">
      <Signers
        custody={custody}
        stateOf={(witness) => (
          <Suspense fallback={null}>
            <WitnessNow witness={witness} project={project} />
          </Suspense>
        )}
      >
        <Suspense fallback={<CustodyNowAwaited />}>
          <CustodyNow project={project} />
        </Suspense>
      </Signers>
      <Facts>
        <Fact name="Treasury">{treasury === null ? 'None' : <Address address={treasury} />}</Fact>
        <Fact name="Distributor">
          <Address address={distributor} />
        </Fact>
      </Facts>
      <ul className="list-disc space-y-2 pl-5 text-soft">
        <li>The deposit account receives the XRP; the distributor holds the tokens for sale.</li>
        <li>
          By the rules, XRP leaves the deposit account as a refund, or to the treasury once the tokens that it paid for
          are delivered or the sale is completed.{party !== null && ` This sale’s treasury is ${party}.`}
        </li>
        {custody !== null && (
          <li>
            A witness works out what the rules owe from the ledger by itself, and signs nothing else. Who runs it is
            what the terms say; that its key has signed is on the ledger, where verification checks it.
          </li>
        )}
      </ul>
    </div>
  );
}

/** Under everything that the project says of itself. */
const ByTheProject = () => (
  <p className="mt-3 text-xs text-soft">
    By the project, not checked by the platform. It is no part of the terms and may change after the launch.
  </p>
);

const List = ({ children }: { children: ReactNode }) => (
  <>
    <ul className="divide-y divide-line text-sm">{children}</ul>
    <ByTheProject />
  </>
);

const Team = ({ team }: Pick<ProjectResource, 'team'>) => (
  <List>
    {team.map(({ name, role, url }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name, and nothing of an entry is kept
      <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5">
        <span className="font-medium break-words">{url === null ? name : <ProjectLink url={url} text={name} />}</span>
        <span className="break-words text-soft">{role}</span>
      </li>
    ))}
  </List>
);

const Links = ({ links }: Pick<ProjectResource, 'links'>) => (
  <List>
    {links.map(({ label, url }) => (
      <li key={`${label} ${url}`} className="py-2.5">
        <ProjectLink url={url} text={label} />
      </li>
    ))}
  </List>
);

const Documents = ({ documents }: Pick<ProjectResource, 'documents'>) => (
  <List>
    {documents.map(({ title, url, sha256 }) => (
      <li key={`${title} ${url}`} className="space-y-1 py-2.5">
        <ProjectLink url={url} text={title} />
        {sha256 !== null && (
          <p className="text-xs text-soft">
            SHA-256 <Digest text={sha256} />
          </p>
        )}
      </li>
    ))}
  </List>
);
