import { Wallet } from 'xrpl';
import { openStage, type Stage } from '#tests/integration/api-keys/stage.ts';
import { type Answered, ask } from '#tests/integration/operations/ask.ts';

/** Who signed in. */
export interface SignedIn {
  wallet: Wallet;
  token: string;
  memberId: string;
  sessionId: string;
  tenantId: string;
}

export interface Owners {
  stage: Stage;
  /** Asks to sign in with a fresh proof of the wallet. */
  askToSignIn(wallet: Wallet, body?: Record<string, unknown>): Promise<Answered>;
  /** A signed-in member; of the wallet's own tenant unless the body says otherwise. */
  signIn(wallet?: Wallet, body?: Record<string, unknown>): Promise<SignedIn>;
  /** A new wallet, invited by an owner with a role, and signed in to that tenant. */
  invited(owner: SignedIn, role: string, wallet?: Wallet): Promise<SignedIn>;
}

/** Everything real, once a test file: routes, Postgres, Redis, and a ledger that closes on demand. */
export async function openOwners(): Promise<Owners> {
  const stage = await openStage();
  stage.set({ RATE_LIMIT_SCALE: '1000' });
  const owners: Owners = {
    stage,
    async askToSignIn(wallet, body = {}) {
      return ask('signIn', { body: { proof: await stage.proof(wallet, 'sign_in'), ...body } });
    },
    async signIn(wallet = Wallet.generate(), body = {}) {
      const { status, body: answer } = await owners.askToSignIn(wallet, body);
      if (status !== 201) throw new Error(`Not signed in: ${JSON.stringify(answer)}`);
      const { session_token: token, session_id: sessionId, member, tenant } = answer;
      return {
        wallet,
        token: String(token),
        sessionId: String(sessionId),
        memberId: (member as { id: string }).id,
        tenantId: (tenant as { id: string }).id,
      };
    },
    async invited(owner, role, wallet = Wallet.generate()) {
      const body = { wallet_address: wallet.address, role };
      const invitation = await ask('inviteMember', { token: owner.token, body });
      return owners.signIn(wallet, { invitation_id: String(invitation.body.id) });
    },
  };
  return owners;
}
