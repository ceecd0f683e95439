import { sql } from 'drizzle-orm';
import { sign } from 'ripple-keypairs';
import { Wallet } from 'xrpl';
import { openDatabase } from '#lib/base/db.ts';
import type { Manifest } from '#sandbox/launcher/manifest.ts';

type Json = Record<string, unknown>;

/** Signs a new wallet in at a running sandbox, as the first owner of its tenant. */
export async function signInMember({
  base_url,
  ledger_rpc,
}: Pick<Manifest, 'base_url' | 'ledger_rpc'>): Promise<{ token: string; tenantId: string }> {
  const wallet = Wallet.generate();
  const post = async (path: string, body: Json): Promise<Json> => {
    const response = await fetch(new URL(path, base_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  // A proof asks for a ledger of the last minute, and this one closes on demand.
  await fetch(String(ledger_rpc), { method: 'POST', body: JSON.stringify({ method: 'ledger_accept', params: [{}] }) });
  const challenge = await post('/api/api-keys/challenge', { wallet_address: wallet.address, action: 'sign_in' });
  const signature = sign(Buffer.from(String(challenge.message), 'utf8').toString('hex'), wallet.privateKey);
  const proof = { challenge_id: challenge.id, public_key: wallet.publicKey, signature };
  const { session_token: token, tenant } = await post('/api/owner/sessions', { proof });
  return { token: String(token), tenantId: (tenant as { id: string }).id };
}

/** Makes a project that is there a sale of the tenant. */
export async function giveProject(
  { postgres_url }: Pick<Manifest, 'postgres_url'>,
  projectId: string,
  tenantId: string,
): Promise<void> {
  const { db, close } = await openDatabase(postgres_url, 1);
  await db.execute(sql`update projects set tenant_id = ${tenantId} where id = ${projectId}`);
  await close();
}
