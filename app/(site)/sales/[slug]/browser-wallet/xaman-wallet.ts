import type { SignRequestState } from '#lib/xaman/sign-request.ts';
import { type Asking, DECLINED, hashOf, type Wallet, WalletRefusal } from './wallets.ts';
import { cancelXaman, followXaman, requestXaman } from './xaman-actions.ts';

type Signed = SignRequestState & { state: 'signed' };

const FIRST_LOOK_MS = 3_000;
const SAYS = {
  waiting: 'Waiting for you to open it in Xaman. It expires in five minutes.',
  opened: 'Open in Xaman: sign or decline it there.',
  offline:
    'No connection to this site just now. It goes on by itself when you are online; what you sign counts meanwhile.',
} as const;
const ENDS = {
  rejected: DECLINED,
  expired: 'The request expired before it was signed. Nothing was sent: try again.',
  other_network:
    'You signed it on another network, so nothing reached this sale. Switch the network in Xaman, then try again.',
} as const;

/** Until it is time to look again: after a while, at once when the page is seen again, and never while it is hidden. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    const end = () => {
      if (!signal.aborted && document.visibilityState !== 'visible') return;
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', end);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(() => !isOver && end(), ms);
    document.addEventListener('visibilitychange', end);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** A refusal after which this transaction can never be in a ledger. `tef…` may be the answer to one that is in it already. */
const isLost = (result: string | null): boolean => result?.startsWith('tem') === true;

/** Has Xaman ask for a signature and waits for it. Throws `WalletRefusal` for every other end. */
async function signed(request: object, { show, signal }: Asking): Promise<Signed> {
  const asked = await requestXaman(request);
  if (asked.kind === 'refused') throw new WalletRefusal(asked.why);
  const { link, sealedId } = asked;
  let isOver = false;
  try {
    show({ link, says: SAYS.waiting });
    for (let waitMs = FIRST_LOOK_MS; ; ) {
      await pause(waitMs, signal);
      if (signal.aborted)
        throw new WalletRefusal(
          'You took the request back. If you had opened it in Xaman, decline it there: what is signed there still counts.',
        );
      const answer = await followXaman({ sealedId }).catch(() => null);
      if (answer === null) {
        show({ link, says: SAYS.offline });
        waitMs = FIRST_LOOK_MS;
        continue;
      }
      if (answer.kind === 'refused') throw new WalletRefusal(answer.why);
      switch (answer.state) {
        case 'waiting':
        case 'opened':
        case 'unknown':
          show({ link, says: answer.state === 'unknown' ? answer.why : SAYS[answer.state] });
          waitMs = answer.askAgainMs;
          break;
        case 'signed':
          isOver = true;
          return answer;
        default:
          isOver = true;
          throw new WalletRefusal(ENDS[answer.state]);
      }
    }
  } finally {
    show(null);
    // What nobody waits for must not be signed later.
    if (!isOver) void cancelXaman({ sealedId }).catch(() => undefined);
  }
}

/** Xaman, on a phone: the server has it ask for each signature. `known`: the account, where its owner has named it. */
export function xamanWallet(purchase: { projectId: string; amountXrp: string }, known: string | null): Wallet {
  let address = known;
  return {
    name: 'Xaman',
    async connect(asking) {
      address ??= (await signed({ step: 'connect', ...purchase }, asking)).wallet;
      // The sign request names the one network on which it can be signed.
      return { address, network: null };
    },
    async submit({ step }, asking) {
      const { hash, result, wallet } = await signed({ step, ...purchase, wallet: address }, asking);
      if (isLost(result)) {
        throw new WalletRefusal(`You signed it, and the ledger refused it (${result}): nothing was sent. Try again.`);
      }
      // A payment of another account is followed all the same: the tokens are for the account that paid.
      if (wallet !== address && step === 'setup') {
        throw new WalletRefusal(
          `You signed with another account, ${wallet}. Switch to yours in Xaman, then try again.`,
        );
      }
      return hashOf(hash);
    },
  };
}
