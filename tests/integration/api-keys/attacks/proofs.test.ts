import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AccountSetAsfFlags, decode, ECDSA, encode, type Payment, Wallet } from 'xrpl';
import { readWalletAccount, STALE_LEDGER_MS } from '#lib/accounts/api-keys/prove-wallet.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { type Asked, type Created, openStage, type Proof, proofOf, type Stage, signText } from '../stage.ts';
import { highTwin } from './high-twin.ts';

let stage: Stage;
/** Funded. */
let victim: Wallet;
const attacker = Wallet.generate();

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());
beforeEach(async () => {
  [victim] = (await stage.desk.accounts(1)) as [Wallet];
});

const create = (proof: Proof, wallet: Wallet = victim) =>
  stage.ask<Created>('create', { wallet_address: wallet.address, proof });

const expectRefused = ({ status, body }: Asked<unknown>, name: keyof Proof) =>
  expect({ status, code: body.code, fields: body.errors?.map(({ field }) => field) }).toEqual({
    status: 403,
    code: 'invalid_proof',
    fields: [`proof.${name}`],
  });

const keysOf = async ({ address }: Wallet) =>
  (await rowsOf(stage.database.db, 'apiKeys')).filter(({ walletAddress }) => walletAddress === address);

const payment = (): Promise<Payment> =>
  stage.desk.client.autofill({
    TransactionType: 'Payment',
    Account: victim.address,
    Destination: stage.desk.genesis.address,
    Amount: '1000000',
  });

describe('a replayed challenge', () => {
  test('is refused, after a success and after a failure', async () => {
    const proof = await stage.proof(victim);
    expect((await create(proof)).status).toBe(201);
    expectRefused(await create(proof), 'challenge_id');
    const challenge = await stage.challenge(victim);
    expectRefused(await create({ ...proofOf(challenge, victim), signature: proof.signature }), 'signature');
    expectRefused(await create(proofOf(challenge, victim)), 'challenge_id');
  });

  test('is taken once when many use it at once, and makes one key', async () => {
    const proof = await stage.proof(victim);
    const made = await Promise.all(Array.from({ length: 8 }, () => create(proof)));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(403)]);
    expect(await keysOf(victim)).toHaveLength(1);
  });

  test('is refused once its five minutes are over, and in their last moment taken', async () => {
    const expireIn = (id: string, interval: string) =>
      stage.database.db.execute(sql`
        update wallet_challenges set
          expires_at = date_trunc('milliseconds', now() + ${interval}::interval),
          message = regexp_replace(message, 'Expires: .*',
            'Expires: ' || to_char((now() + ${interval}::interval) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        where id = ${id} returning message`);
    const provenAfter = async (interval: string) => {
      const { id, ...challenge } = await stage.challenge(victim);
      const { rows } = await expireIn(id, interval);
      return create(proofOf({ ...challenge, id, message: String(rows[0]?.message) }, victim));
    };
    expectRefused(await provenAfter('-1 milliseconds'), 'challenge_id');
    expect((await provenAfter('20 seconds')).status).toBe(201);
  });
});

describe('a stolen challenge', () => {
  test('of another wallet proves nothing for one’s own', async () => {
    expectRefused(await create(await stage.proof(attacker), victim), 'challenge_id');
    expectRefused(await create(await stage.proof(victim, 'create_key', { signer: attacker })), 'public_key');
    const { challenge_id, signature } = await stage.proof(victim, 'create_key', { signer: attacker });
    expectRefused(await create({ challenge_id, signature, public_key: victim.publicKey }), 'signature');
  });

  test('of another action is refused, and one to revoke takes no other key', async () => {
    const [first, second] = [await stage.provenKey(victim), await stage.provenKey(victim)];
    expectRefused(await create(await stage.proof(victim, 'list_keys')), 'challenge_id');
    const proof = await stage.proof(victim, 'create_key');
    expectRefused(await stage.ask('list', { proof }, { wallet: victim.address }), 'challenge_id');
    const revoking = await stage.proof(victim, 'revoke_key', { key_id: first.id });
    expectRefused(await stage.ask('revoke', { key_id: second.id, proof: revoking }), 'challenge_id');
    expect((await keysOf(victim)).map(({ revokedAt }) => revokedAt)).toEqual([null, null]);
  });

  test.each([
    ['domain', { BASE_URL: 'https://other.example.org' }, { BASE_URL: 'https://sale.example.org' }],
    ['network', { XRPL_NETWORK_ID: '0' }, { XRPL_NETWORK_ID: '21337' }],
  ])('of another %s is refused', async (_, elsewhere, here) => {
    stage.set(elsewhere);
    const proof = await stage.proof(victim);
    stage.set(here);
    expectRefused(await create(proof), 'challenge_id');
  });

  test('whose text names another domain to the signer is refused', async () => {
    const challenge = await stage.challenge(victim);
    const message = challenge.message.replace('sale.example.org', 'evil.example.org');
    expectRefused(await create(proofOf({ ...challenge, message }, victim)), 'signature');
  });
});

describe('a ledger transaction passed as proof', () => {
  test('is none: the signature of a Payment, with the key that the proof would need', async () => {
    const { tx_blob: blob } = victim.sign(await payment());
    const signature = String(decode(blob).TxnSignature);
    const { id } = await stage.challenge(victim);
    expectRefused(await create({ challenge_id: id, public_key: victim.publicKey, signature }), 'signature');
  });

  test('is none: a part of a multi-signature', async () => {
    const { tx_blob: blob } = victim.sign(await payment(), true);
    const signers = decode(blob).Signers as { Signer: { TxnSignature: string } }[];
    const { id } = await stage.challenge(victim);
    const signature = signers[0]!.Signer.TxnSignature;
    expectRefused(await create({ challenge_id: id, public_key: victim.publicKey, signature }), 'signature');
  });

  test('cannot be had from a proof: the ledger refuses it on a transaction, and the text is none', async () => {
    const { message } = await stage.challenge(victim);
    const blob = encode({
      ...(await payment()),
      SigningPubKey: victim.publicKey,
      TxnSignature: signText(message, victim),
    });
    const submitted = stage.desk.client.request({ command: 'submit', tx_blob: blob });
    await expect(submitted).rejects.toMatchObject({ data: { error: 'invalidTransaction' } });
    // Whatever the ledger hashes begins with three letters and a zero.
    expect(message.slice(0, 4)).toBe('Tran');
    expect(() => decode(Buffer.from(message).toString('hex').toUpperCase())).toThrow();
  });
});

describe('a key that does not speak for the wallet', () => {
  const setRegularKey = async (key: Wallet) => {
    await stage.desk.send(victim, {
      TransactionType: 'SetRegularKey',
      Account: victim.address,
      RegularKey: key.address,
    });
    stage.desk.close();
  };
  const by = async (signer: Wallet) => create(await stage.proof(victim, 'create_key', { signer }));

  test('is refused: a disabled master key', async () => {
    const regular = Wallet.generate(ECDSA.secp256k1);
    await setRegularKey(regular);
    expect([(await by(victim)).status, (await by(regular)).status]).toEqual([201, 201]);
    await stage.desk.send(victim, {
      TransactionType: 'AccountSet',
      Account: victim.address,
      SetFlag: AccountSetAsfFlags.asfDisableMaster,
    });
    stage.desk.close();
    expectRefused(await by(victim), 'public_key');
    expect((await by(regular)).status).toBe(201);
  });

  test('is refused: a former regular key, and one that is not in a validated ledger yet', async () => {
    const [former, current] = [Wallet.generate(), Wallet.generate()];
    await setRegularKey(former);
    await stage.desk.send(victim, {
      TransactionType: 'SetRegularKey',
      Account: victim.address,
      RegularKey: current.address,
    });
    expect((await by(former)).status).toBe(201);
    expectRefused(await by(current), 'public_key');
    stage.desk.close();
    expectRefused(await by(former), 'public_key');
    expect((await by(current)).status).toBe(201);
  });
});

test('whose key it is, a ledger that stands still does not tell', async () => {
  const nobody = Wallet.generate();
  for (const { address } of [victim, nobody]) {
    stage.ctx.clock.set(Date.now());
    await expect(readWalletAccount(stage.ctx, address)).resolves.toEqual(
      address === victim.address ? expect.objectContaining({ address }) : null,
    );
    stage.ctx.clock.advance(2 * STALE_LEDGER_MS);
    await expect(readWalletAccount(stage.ctx, address)).rejects.toMatchObject({ code: 'ledger_unavailable' });
  }
});

describe('a signature by the right key', () => {
  test.each([
    ['over another text', () => 'I agree'],
    ['over the text and a line feed', (message: string) => `${message}\n`],
    ['over the text with Windows line ends', (message: string) => message.replaceAll('\n', '\r\n')],
    ['over its name alone', (message: string) => message.slice(0, 20)],
  ])('%s is refused', async (_, changed) => {
    const challenge = await stage.challenge(victim);
    const proof = proofOf({ ...challenge, message: changed(challenge.message) }, victim);
    expectRefused(await create(proof), 'signature');
  });

  test('in another form than the strict one is refused: the high half of the curve, more bytes, fewer', async () => {
    const wallet = Wallet.generate(ECDSA.secp256k1);
    for (const changed of [
      highTwin,
      (hex: string) => `${hex}00`,
      (hex: string) => hex.slice(0, -2),
      () => '00'.repeat(64),
    ]) {
      const { signature, ...rest } = await stage.proof(wallet);
      expectRefused(await create({ ...rest, signature: changed(signature) }, wallet), 'signature');
    }
    expect((await create(await stage.proof(wallet), wallet)).status).toBe(201);
  });
});
