'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { PortalSession } from '#lib/webhooks/portal/contracts.ts';
import { Button } from '../../(site)/_ui/button.tsx';
import { shortened } from '../../(site)/_ui/format.ts';
import { Notice } from '../../(site)/_ui/notice.tsx';
import { PageHead } from '../../(site)/_ui/page-head.tsx';
import { Time } from '../../(site)/_ui/time.tsx';
import { CREDENTIAL_ENDED, callApi } from '../../(site)/developers/api.ts';
import { WebhookAccessProvider } from '../../(site)/developers/webhook-access.ts';
import { WebhookDesk } from '../../(site)/developers/webhooks/[id]/webhook-console.tsx';
import { Webhooks } from '../../(site)/developers/webhooks.tsx';

type State =
  | { kind: 'opening' }
  | { kind: 'open'; session: PortalSession }
  | { kind: 'closed'; title: string; reason: string };

const AGAIN = 'Load the page where you found this link again, or ask for a new one.';
const OVER: State = { kind: 'closed', title: 'This session is over', reason: AGAIN };

/** A link is opened once, and this page may begin twice. */
let opening: Promise<State> | undefined;

/** Takes the token out of the address, so that it is in no history, and exchanges it for a session that only this page holds. */
async function openLink(): Promise<State> {
  const token = location.hash.slice(1);
  history.replaceState(history.state, '', location.pathname);
  if (!token.startsWith('tr_link_')) {
    return { kind: 'closed', title: 'This link was opened already', reason: `It is good for one opening. ${AGAIN}` };
  }
  try {
    const session = await callApi<PortalSession>(null, 'POST', '/api/portal-sessions', { link_token: token });
    return { kind: 'open', session };
  } catch (err) {
    return {
      kind: 'closed',
      title: 'The portal cannot be opened',
      reason: err instanceof Error ? err.message : AGAIN,
    };
  }
}

/** The webhooks of the key that made the link, for as long as its session lasts. */
export function Portal() {
  const [state, setState] = useState<State>({ kind: 'opening' });
  useEffect(() => {
    opening ??= openLink();
    void opening.then(setState);
  }, []);
  const endsAt = state.kind === 'open' ? state.session.expires_at : null;
  useEffect(() => {
    if (endsAt === null) return;
    const end = () => setState(OVER);
    const timer = setTimeout(end, Math.max(0, Date.parse(endsAt) - Date.now()));
    addEventListener(CREDENTIAL_ENDED, end);
    return () => {
      clearTimeout(timer);
      removeEventListener(CREDENTIAL_ENDED, end);
    };
  }, [endsAt]);
  if (state.kind === 'opening') {
    return (
      <p role="status" className="text-soft">
        Opening…
      </p>
    );
  }
  if (state.kind === 'open') return <OpenPortal session={state.session} />;
  return (
    <>
      <PageHead title="Webhooks" />
      <Notice tone="warn" isAlert title={state.title}>
        {state.reason}
      </Notice>
    </>
  );
}

const idIn = (hash: string): string | null => (/^#wh_\w+$/.test(hash) ? hash.slice(1) : null);

/** The webhook that is shown, in the address after the number sign, so that the browser's way back leads to the list. */
function useShownWebhook(): [id: string | null, show: (id: string | null) => void] {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setShown(idIn(location.hash));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  const show = useCallback((id: string | null) => {
    history.pushState(history.state, '', id === null ? location.pathname : `#${id}`);
    setShown(id);
  }, []);
  return [shown, show];
}

function OpenPortal({ session }: { session: PortalSession }) {
  const [access] = useState(() => ({
    credential: session.session_token,
    isReadOnly: session.read_only,
    projectId: session.project_id,
  }));
  const [shown, show] = useShownWebhook();
  const view = useRef<HTMLDivElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    // One view replaces the other whole: the focus goes to its beginning.
    if (before.current !== shown) view.current?.focus();
    before.current = shown;
  }, [shown]);
  return (
    <WebhookAccessProvider value={access}>
      <div ref={view} tabIndex={-1} className="outline-none">
        {shown === null ? (
          <>
            <h1 className="sr-only">Webhooks</h1>
            <Webhooks onOpen={show} />
          </>
        ) : (
          <>
            <p className="mb-4">
              <Button look="quiet" className="-ml-4" onClick={() => show(null)}>
                All webhooks
              </Button>
            </p>
            <WebhookDesk key={shown} id={shown} onDeleted={() => show(null)} />
          </>
        )}
      </div>
      <p className="mt-8 text-xs text-soft">
        Webhooks of the wallet <code className="font-mono break-all">{shortened(session.wallet_address)}</code>, by the
        API key <code className="font-mono">{session.key_prefix}…</code>
        {session.read_only && ', to read only'}. This session ends <Time at={session.expires_at} />.
      </p>
    </WebhookAccessProvider>
  );
}
