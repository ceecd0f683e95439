import { credentialKey } from '@tranche/rules/credentials.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Wallet } from 'xrpl';
import { type SandboxLedger, startLedger } from 'xrpl-sandbox/index.ts';
import { confirmAccount } from '#lib/jobs/confirmation.ts';
import { takeIn } from '#lib/jobs/intake.ts';
import { processTransactions } from '#lib/jobs/process-transactions.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { projectInput, projectPatch } from '#lib/sales/projects/project-input.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { verifyAltered } from '#tests/integration/verifier/altered.ts';
import { named, verify } from '#tests/integration/verifier/scene.ts';
import { type Served, serveRoutes } from '#tests/integration/verifier/serve.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { holders, untilQuiet } from './cancelled-sales.ts';
import { advanceForgetting } from './forgetful-feed.ts';
import { addresses, openListsDesk } from './lists-world.ts';
import { openStage, type ProjectBody, type Sale, type Stage } from './stage.ts';

const KYC = '4B5943';

let stage: Stage;
let served: Served;
let attester: Wallet;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
  attester = await stage.account();
});
afterAll(async () => {
  await served?.close();
  await stage?.end();
});

const issue = (subject: Wallet, over: { Expiration?: number } = {}, issuer = attester) =>
  stage.desk.send(issuer, {
    TransactionType: 'CredentialCreate',
    Account: issuer.address,
    Subject: subject.address,
    CredentialType: KYC,
    ...over,
  });
const accept = (subject: Wallet, issuer = attester) =>
  stage.desk.send(subject, {
    TransactionType: 'CredentialAccept',
    Account: subject.address,
    Issuer: issuer.address,
    CredentialType: KYC,
  });
const takeAway = (by: Wallet, subject: Wallet, issuer = attester) =>
  stage.desk.send(by, {
    TransactionType: 'CredentialDelete',
    Account: by.address,
    Subject: subject.address,
    Issuer: issuer.address,
    CredentialType: KYC,
  });

/** Gives a wallet a credential that it accepts, in a ledger of its own. */
async function attest(subject: Wallet, over: { Expiration?: number } = {}): Promise<void> {
  await issue(subject, over);
  await accept(subject);
  stage.desk.close();
}

const closeTime = async (): Promise<number> =>
  (await stage.desk.client.request({ command: 'ledger', ledger_index: 'validated' })).result.ledger.close_time;

async function passUntilAfter(time: number): Promise<void> {
  while ((await closeTime()) <= time) stage.desk.close();
}

const required = (issuers = [attester.address]) => ({ type: 'KYC', issuers });

/** Its first tier requires the credential, and the second nothing. */
const tiersOf = (issuers?: string[]): ProjectBody['tiers'] => [
  { price_per_token: '0.10', total_tokens: '1000', credential: required(issuers) },
  { price_per_token: '0.20', total_tokens: '5000' },
];
const launched = (body: Partial<ProjectBody> = {}) => stage.launched({ tiers: tiersOf(), ...body });

/** Pays and decides; gives what became of it. */
async function paid(from: Wallet, sale: Sale, xrp = 10) {
  const hash = await stage.pay(from, sale, xrp);
  await stage.settle(sale.deposit);
  return outcomeOf(hash);
}

async function outcomeOf(hash: string) {
  const [row] = await rowsOf(stage.database.db, 'payments', { txHash: hash });
  return row && [row.outcome, row.reason];
}

const INVESTED = ['invested', null];
const NOT_ADMITTED = ['refunded', 'not_admitted'];

async function quiet(sale: Sale): Promise<void> {
  await untilQuiet(stage, sale);
  await stage.settle(sale.deposit);
}

/** The same as `stage.advance`, with a ledger that answers otherwise in part. */
const advanceWith = async ({ deposit }: Sale, over: Partial<Ledger>, ledger: Ledger = stage.ctx.ledger) => {
  const ctx = { ...stage.ctx, ledger: { ...ledger, ...over } };
  return advanceAccount(ctx, {
    account: deposit.address,
    server: await ledger.serverState(),
    deadlineMs: Number.POSITIVE_INFINITY,
    stillMine: async () => true,
  });
};

/** A ledger server that holds no ledger's state. */
const FORGETFUL: Pick<Ledger, 'credentials'> = { credentials: async (questions) => questions.map(() => undefined) };

describe('a sale whose tier requires a credential', () => {
  it('sells by what the ledger before each payment holds: given, expired and taken away in its middle, and the verifier agrees', async () => {
    const sale = await launched();
    const [given, expiring, returned, accepting, without] = (await holders(stage, sale, 5)) as [
      Wallet,
      Wallet,
      Wallet,
      Wallet,
      Wallet,
    ];
    expect(await paid(without, sale)).toEqual(NOT_ADMITTED);
    expect(await paid(given, sale)).toEqual(NOT_ADMITTED);

    await attest(given);
    expect(await paid(given, sale)).toEqual(INVESTED);
    await takeAway(attester, given);
    stage.desk.close();
    expect(await paid(given, sale)).toEqual(NOT_ADMITTED);

    const Expiration = (await closeTime()) + 30;
    await attest(expiring, { Expiration });
    expect(await paid(expiring, sale)).toEqual(INVESTED);
    await passUntilAfter(Expiration);
    expect(await paid(expiring, sale)).toEqual(NOT_ADMITTED);

    await issue(accepting);
    stage.desk.close();
    expect(await paid(accepting, sale)).toEqual(NOT_ADMITTED);
    await accept(accepting);
    stage.desk.close();
    expect(await paid(accepting, sale)).toEqual(INVESTED);

    await attest(returned);
    expect(await paid(returned, sale)).toEqual(INVESTED);
    await takeAway(returned, returned);
    stage.desk.close();
    expect(await paid(returned, sale)).toEqual(NOT_ADMITTED);

    // What is given or taken away in the payment's own ledger counts from the next one on.
    await issue(without);
    await accept(without);
    const sameLedger = await stage.pay(without, sale, 10);
    await stage.settle(sale.deposit);
    expect(await outcomeOf(sameLedger)).toEqual(NOT_ADMITTED);
    const stillHeld = await stage.pay(without, sale, 10);
    await takeAway(attester, without);
    await stage.settle(sale.deposit);
    expect(await outcomeOf(stillHeld)).toEqual(INVESTED);

    await quiet(sale);
    expect(named(await verify(stage, served, sale))).toEqual([]);
    expect(await verify(stage, served, sale)).toMatchObject({ code: 0, report: { verdict: 'agrees' } });
  });

  it('shows its credential in terms of form 2 and on its page, and leaves other terms as they were', async () => {
    const sale = await launched();
    const credential = { credential_type: KYC, issuers: [attester.address] };
    expect(sale.project.tiers.map((tier) => tier.credential)).toEqual([{ type: 'KYC', ...credential }, null]);
    const terms = JSON.parse((await getTerms(stage.ctx, sale.project.id)).canonical);
    expect(terms.v).toBe(2);
    expect(terms.tiers[0].credential).toEqual(credential);
    expect(terms.tiers[1]).not.toHaveProperty('credential');
    const open = await stage.launched();
    const openTerms = JSON.parse((await getTerms(stage.ctx, open.project.id)).canonical);
    expect(openTerms.v).toBe(1);
    expect(openTerms.tiers[0]).not.toHaveProperty('credential');
  });

  it('takes the credential of any of its issuers', async () => {
    const other = await stage.account();
    const sale = await launched({ tiers: tiersOf([attester.address, other.address]) });
    const [wallet] = (await holders(stage, sale, 1)) as [Wallet];
    await issue(wallet, {}, other);
    await accept(wallet, other);
    stage.desk.close();
    expect(await paid(wallet, sale)).toEqual(INVESTED);
  });

  it('asks for the list and the credential where both are required: neither alone admits', async () => {
    const lists = openListsDesk(stage);
    const sale = await stage.draft({ tiers: tiersOf().map((tier) => ({ ...tier, access: 'allowlist' as const })) });
    const [both, listed, attested] = (await holders(stage, sale, 3)) as [Wallet, Wallet, Wallet];
    await lists.inForce(sale, [{ wallet_address: both.address }, { wallet_address: listed.address }]);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    await attest(both);
    await attest(attested);
    expect(await paid(both, sale)).toEqual(INVESTED);
    expect(await paid(listed, sale)).toEqual(NOT_ADMITTED);
    expect(await paid(attested, sale)).toEqual(NOT_ADMITTED);
    await quiet(sale);
    expect(await verify(stage, served, sale)).toMatchObject({ code: 0 });
  });

  it('assigns a held payment only to a wallet that holds the credential before the action', async () => {
    const sale = await launched();
    const [wallet] = (await holders(stage, sale, 1)) as [Wallet];
    const hash = await stage.pay(wallet, sale, 0.0005, null);
    await stage.settle(sale.deposit);
    const assign = () =>
      assignPayment(stage.ctx, { transactionHash: hash, projectId: sale.project.id, reason: 'ours' });
    await expect(assign()).rejects.toThrow('not_admitted');
    await attest(wallet);
    await stage.settle(sale.deposit);
    await assign();
    await stage.settle(sale.deposit);
    expect(await outcomeOf(hash)).toEqual(INVESTED);
    await quiet(sale);
    expect(await verify(stage, served, sale)).toMatchObject({ code: 0 });
  });
});

describe('terms with a credential', () => {
  const draftWith = (credential: object) =>
    stage.draft({ tiers: [{ price_per_token: '0.10', total_tokens: '1000', credential } as never] });

  it('take its type as text or as the ledger has it, and give it back in both forms', async () => {
    const issuers = [attester.address];
    for (const credential of [{ type: 'KYC' }, { credential_type: '4b5943' }, { type: 'KYC', credential_type: KYC }]) {
      const { project } = await draftWith({ ...credential, issuers });
      expect(project.tiers[0]?.credential).toEqual({ type: 'KYC', credential_type: KYC, issuers });
    }
    const { project } = await draftWith({ credential_type: 'FF00', issuers });
    expect(project.tiers[0]?.credential).toMatchObject({ type: null, credential_type: 'FF00' });
    const patched = await patchProject(stage.ctx, {
      id: project.id,
      patch: projectPatch.parse({
        tiers: project.tiers.map(({ sold_tokens: _, completed_at: __, ...tier }) => ({
          ...tier,
          price_per_token: '0.30',
        })),
      }),
      reason: 'dearer',
    });
    expect(patched.tiers[0]?.credential).toEqual(project.tiers[0]?.credential);
  });

  it.each<[string, object, string]>([
    ['no type', {}, 'credential.type'],
    ['an empty type', { type: '' }, 'credential.type'],
    ['a type of 65 characters', { type: 'K'.repeat(65) }, 'credential.type'],
    ['a type that is no plain text', { type: 'КYC' }, 'credential.type'],
    ['a type of 65 bytes', { credential_type: 'AB'.repeat(65) }, 'credential.credential_type'],
    ['half a byte', { credential_type: 'ABC' }, 'credential.credential_type'],
    ['two types', { type: 'KYC', credential_type: 'AB' }, 'credential.credential_type'],
    ['no issuer', { type: 'KYC', issuers: [] }, 'credential.issuers'],
    ['an issuer that is no address', { type: 'KYC', issuers: ['rNobody'] }, 'credential.issuers.0'],
  ])('are refused with %s', (_, over, field) => {
    const body = [{ price_per_token: '1', total_tokens: '1', credential: { issuers: [attester.address], ...over } }];
    const { error } = projectInput.shape.tiers.safeParse(body);
    expect(error?.issues.map(({ path }) => path.slice(1).join('.'))).toContain(field);
  });

  it('are refused with an issuer twice, one that is not on the ledger, or more than ten credentials in all', async () => {
    const twice = projectInput.shape.tiers.safeParse([
      { price_per_token: '1', total_tokens: '1', credential: required([attester.address, attester.address]) },
    ]);
    expect(twice.error?.issues[0]?.message).toContain('twice');
    await expect(draftWith(required(addresses(1)))).rejects.toThrow('does not exist on the ledger');
    const many = [addresses(6), addresses(5)].map((issuers) => ({
      price_per_token: '1',
      total_tokens: '1',
      credential: required(issuers),
    }));
    await expect(stage.draft({ tiers: many })).rejects.toThrow('at most 10');
  });

  it('can be launched under custody: witnesses read credentials themselves', async () => {
    const sale = await stage.draft({ tiers: tiersOf() });
    const key = (at: number) => ({ account: addresses(1)[0] ?? '', weight: 1, name: `W${at}`, operator: `O${at}` });
    const { name: _, operator: __, ...platform } = key(0);
    const custody = {
      quorum: 3,
      platform: { ...platform, weight: 2 },
      witnesses: [key(1), key(2)],
      ledgers_to_live: 20,
      from_ledger: 1,
      refund_min_xrp: '0.001000',
    };
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { custody });
    const { faults } = await readLaunchChecklist(stage.ctx, sale.project.id);
    expect(faults.map(({ field }) => field)).not.toContain('tiers[0].credential');
    expect(faults).not.toEqual([]);
  });
});

describe('what the ledger does not tell', () => {
  it('keeps a sale from its launch, of which every payment would wait', async () => {
    const { project } = await stage.draft({ tiers: tiersOf() });
    const faultsWith = async (over: Partial<Ledger>) =>
      (await readLaunchChecklist({ ...stage.ctx, ledger: { ...stage.ctx.ledger, ...over } }, project.id)).faults.filter(
        ({ field }) => field.startsWith('tiers'),
      );
    expect(await faultsWith(FORGETFUL)).toEqual([
      { field: 'tiers[0].credential', message: expect.stringContaining('Name servers in XRPL_URLS') },
    ]);
    expect(await faultsWith({})).toEqual([]);
  });

  it('keeps payments waiting, unrecorded: nothing is guessed, and they are decided when it tells', async () => {
    const sale = await launched();
    const [wallet] = (await holders(stage, sale, 1)) as [Wallet];
    await attest(wallet);
    const hash = await stage.pay(wallet, sale, 10);
    stage.desk.close(3);
    await expect(advanceWith(sale, FORGETFUL)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await outcomeOf(hash)).toBeUndefined();
    await stage.advance(sale.deposit);
    expect(await outcomeOf(hash)).toEqual(INVESTED);
  });

  it('keeps only what comes from there on: payments in ledgers before it are recorded and decided', async () => {
    const sale = await launched();
    const [early, late] = (await holders(stage, sale, 2)) as [Wallet, Wallet];
    await attest(early);
    const before = await stage.pay(early, sale, 10);
    const untold = stage.desk.close();
    const waiting = await stage.pay(late, sale, 10);
    stage.desk.close(3);
    const forgetting: Partial<Ledger> = {
      credentials: async (questions) => {
        const read = await stage.ctx.ledger.credentials(questions);
        return questions.map(({ ledgerIndex }, index) => (ledgerIndex >= untold ? undefined : read[index]));
      },
    };
    // What is told of the batch is stored first, and the page is cut when nothing more of it is told.
    await expect(advanceWith(sale, forgetting)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await outcomeOf(before)).toEqual(['pending', null]);
    expect(await outcomeOf(waiting)).toBeUndefined();
    await stage.advance(sale.deposit);
    expect(await outcomeOf(before)).toEqual(INVESTED);
    expect(await outcomeOf(waiting)).toEqual(NOT_ADMITTED);
  });

  it('keeps what was recorded undecided, decides what comes before it, and asks again', async () => {
    const sale = await launched();
    const [wallet] = (await holders(stage, sale, 1)) as [Wallet];
    await attest(wallet);
    const first = await stage.pay(wallet, sale, 10);
    stage.desk.close();
    const second = await stage.pay(wallet, sale, 10);
    stage.desk.close(3);
    const share = {
      account: sale.deposit.address,
      server: await stage.ctx.ledger.serverState(),
      deadlineMs: Number.POSITIVE_INFINITY,
      stillMine: async () => true,
    };
    expect(await takeIn(stage.ctx, share)).toMatchObject({ recognised: 2 });
    const [row] = await rowsOf(stage.database.db, 'payments', { txHash: second });
    await stage.database.db.execute(
      sql`delete from credential_readings where ledger_index = ${(row?.ledgerIndex ?? 0) - 1}`,
    );
    const forgetful = { ...stage.ctx, ledger: { ...stage.ctx.ledger, ...FORGETFUL } };
    const decided = { confirmed: 0, refused: 0, tiersCompleted: 0 };
    await expect(confirmAccount(forgetful, share, decided)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await outcomeOf(first)).toEqual(INVESTED);
    expect(await outcomeOf(second)).toEqual(['pending', null]);
    expect(await confirmAccount(stage.ctx, share, decided)).toBe(false);
    expect(await outcomeOf(second)).toEqual(INVESTED);
    expect(decided).toMatchObject({ confirmed: 2, refused: 0 });
  });

  it('is read for a payment that the feed had lost, when its ledger is read again', async () => {
    const sale = await launched();
    const [holder, without] = (await holders(stage, sale, 2)) as [Wallet, Wallet];
    await attest(holder);
    stage.set({ CONFIRMATIONS: '20' });
    onTestFinished(() => stage.set({ CONFIRMATIONS: undefined }));
    const lost = [await stage.pay(holder, sale, 10), await stage.pay(without, sale, 10)];
    stage.desk.close();
    await advanceForgetting(stage, sale, ...lost);
    const again = { dry_run: false, reason: 'they were missed', transaction_hashes: lost };
    expect(await processTransactions(stage.ctx, again)).toMatchObject({ recorded: 2 });
    stage.set({ CONFIRMATIONS: undefined });
    await stage.settle(sale.deposit);
    expect(await Promise.all(lost.map(outcomeOf))).toEqual([INVESTED, NOT_ADMITTED]);
  });

  it('keeps no ledger from being read again: what the feed waits for is ahead of it', async () => {
    const sale = await launched();
    const hash = await stage.pay(await stage.account(), sale, 10);
    stage.desk.close(3);
    await expect(advanceWith(sale, FORGETFUL)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    const forgetful = { ...stage.ctx, ledger: { ...stage.ctx.ledger, ...FORGETFUL } };
    const again = { dry_run: false, reason: 'it is waited for', transaction_hashes: [hash] };
    expect(await processTransactions(forgetful, again)).toMatchObject({ ahead: 1, recorded: 0 });
    await stage.advance(sale.deposit);
    expect(await outcomeOf(hash)).toEqual(NOT_ADMITTED);
  });

  it('is asked of two servers, where several are configured: what one of them alone says decides nothing', async () => {
    const sale = await launched();
    const [wallet] = (await holders(stage, sale, 1)) as [Wallet];
    const peer: SandboxLedger = await startLedger({ peerOf: stage.desk.ledger });
    const urls = [stage.desk.ledger.wsUrl, peer.wsUrl];
    const several = openLedger({ urls, networkId: NETWORK_ID });
    onTestFinished(async () => {
      stage.set({ XRPL_URLS: stage.desk.ledger.wsUrl });
      await several.close();
      await peer.close();
    });
    stage.set({ XRPL_URLS: urls.join(',') });
    const hash = await stage.pay(wallet, sale, 10);
    stage.desk.close(3);
    const lying: Partial<Ledger> = {
      async credentialsEverywhere(questions) {
        const [honest = []] = await several.credentialsEverywhere(questions);
        return [honest, honest.map(() => ({ accepted: true, expiresAtMs: null }))];
      },
    };
    await expect(advanceWith(sale, lying, several)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await outcomeOf(hash)).toBeUndefined();
    const alerts = await rowsOf(stage.database.db, 'events', { type: 'system.alert' });
    expect(
      alerts.filter(({ body }) => body.includes('servers_disagree') && body.includes(sale.deposit.address)),
    ).toHaveLength(1);
    await advanceWith(sale, {}, several);
    expect(await outcomeOf(hash)).toEqual(NOT_ADMITTED);
  });

  it('is unchecked for a verifier, which then never says that it agrees', async () => {
    const sale = await launched();
    const [wallet] = (await holders(stage, sale, 1)) as [Wallet];
    await attest(wallet);
    expect(await paid(wallet, sale)).toEqual(INVESTED);
    await quiet(sale);
    const { credentials: _, ...unaware } = stage.ctx.ledger;
    for (const ledger of [unaware, { ...unaware, ...FORGETFUL }]) {
      const report = await verifyAltered(stage, sale, () => ({}), { ledger });
      expect(report).toMatchObject({ verdict: 'unchecked', differences_total: 0 });
      expect(report.unchecked.map(({ reason }) => reason).join()).toContain(wallet.address);
    }
  });
});

describe('the sale’s page', () => {
  it('shows the type of its credential as text by the bytes that the terms have, or the verifier says so', async () => {
    const sale = await launched();
    const report = await verifyAltered(stage, sale, (source) => ({
      project: async (id) => {
        const project = await source.project(id);
        const tiers = project.tiers.map((tier) => ({
          ...tier,
          credential: tier.credential && { ...tier.credential, type: 'KYB' },
        }));
        return { ...project, tiers };
      },
    }));
    expect(report.differences).toMatchObject([
      { kind: 'terms_shown_differ', field: 'tiers[0].credential.type', expected: '"KYC"', found: '"KYB"' },
    ]);
  });
});

describe('forged records', () => {
  it('of a wallet that is admitted without the credential are found by the verifier', async () => {
    const sale = await launched();
    const [wallet] = (await holders(stage, sale, 1)) as [Wallet];
    const hash = await stage.pay(wallet, sale, 10);
    const ledgerIndex = stage.desk.close() - 1;
    // The platform's own record says that it was there, and all else follows from it.
    await stage.database.db.execute(sql`
      insert into credential_readings (ledger_index, subject, issuer, credential_type, found, accepted)
      values (${ledgerIndex}, ${wallet.address}, ${attester.address}, ${KYC}, true, true)`);
    await stage.settle(sale.deposit);
    expect(await outcomeOf(hash)).toEqual(INVESTED);
    await quiet(sale);
    const found = await verify(stage, served, sale);
    expect(found).toMatchObject({ code: 1, report: { verdict: 'differs' } });
    expect(named(found)).toContainEqual(['payment_differs', hash, 'outcome']);
  });
});

describe('reading credentials', () => {
  /** The platform's ledger, with what was asked of it. */
  function counting() {
    const asked: string[][] = [];
    const credentials: Ledger['credentials'] = (questions) => {
      asked.push(questions.map(credentialKey));
      return stage.ctx.ledger.credentials(questions);
    };
    return { asked, over: { credentials } };
  }

  it('costs a backlog one question for each wallet and ledger, many at once, and the decision none again', async () => {
    const sale = await launched();
    const wallets = await stage.desk.accounts(40);
    const hashes: string[] = [];
    for (const wallet of wallets) hashes.push(await stage.pay(wallet, sale, 1));
    for (const wallet of wallets) hashes.push(await stage.pay(wallet, sale, 2));
    stage.desk.close(3);
    const { asked, over } = counting();
    expect(await advanceWith(sale, over)).toMatchObject({ recognised: 80, refused: 80 });
    expect(asked).toHaveLength(1);
    expect(new Set(asked.flat()).size).toBe(40);
    expect(asked.flat()).toHaveLength(40);
  });

  it('costs nothing where no open tier requires one', async () => {
    const open = await stage.launched();
    const late = await launched({ tiers: [...tiersOf()].reverse() });
    const { asked, over } = counting();
    for (const sale of [open, late]) {
      const wallet = await stage.account();
      const hash = await stage.pay(wallet, sale, 10);
      stage.desk.close(3);
      await advanceWith(sale, over);
      expect(await outcomeOf(hash)).toEqual(INVESTED);
    }
    expect(asked).toEqual([]);
  });

  it('costs nothing for a payment that buys no unit of the tier', async () => {
    const sale = await launched({ tiers: [{ price_per_token: '1000', total_tokens: '10', credential: required() }] });
    const wallet = await stage.account();
    const hash = await stage.pay(wallet, sale, 0.0005);
    stage.desk.close(3);
    const { asked, over } = counting();
    await advanceWith(sale, over);
    expect((await outcomeOf(hash))?.[1]).toBe('below_one_unit');
    expect(asked).toEqual([]);
  });
});

describe('a quote', () => {
  it('tells a wallet what it lacks, and becomes what its payment becomes', async () => {
    const sale = await launched();
    const wallet = await stage.account();
    const ask = async () => {
      await stage.settle(sale.deposit);
      const quote = await quoteAmount(stage.ctx, {
        id: sale.project.id,
        amount_xrp: 10_000_000n,
        wallet_address: wallet.address,
      });
      const [credential] = quote.credentials;
      return [quote.admission, quote.accepted, credential?.status, credential?.issuer];
    };
    expect(await ask()).toEqual(['not_admitted', false, 'none', null]);
    await issue(wallet);
    stage.desk.close();
    expect(await ask()).toEqual(['not_admitted', false, 'not_accepted', attester.address]);
    await accept(wallet);
    stage.desk.close();
    expect(await ask()).toEqual(['admitted', true, 'valid', attester.address]);
    await takeAway(attester, wallet);
    stage.desk.close();
    expect(await ask()).toEqual(['not_admitted', false, 'none', null]);
  });

  it('costs no look-up while nothing is sold, and says then that the credential is only assumed', async () => {
    const sale = await launched();
    const wallet = await stage.account();
    const ask = () =>
      quoteAmount(stage.cutOff, { id: sale.project.id, amount_xrp: 10_000_000n, wallet_address: wallet.address });
    await expect(ask()).rejects.toMatchObject({ code: 'ledger_unavailable' });
    await changeRows(stage.database.db, 'depositAccounts', { address: sale.deposit.address }, { halted: true });
    expect(await ask()).toMatchObject({ halted: true, admission: 'assumed', credentials: [] });
    await changeRows(stage.database.db, 'depositAccounts', { address: sale.deposit.address }, { halted: false });
    await stage.act(sale, 'pause');
    await stage.settle(sale.deposit);
    expect(await ask()).toMatchObject({ reason: 'not_active', admission: 'assumed', credentials: [] });
  });

  it('presumes the credential without a wallet', async () => {
    const sale = await launched();
    const quote = await quoteAmount(stage.cutOff, { id: sale.project.id, amount_xrp: 10_000_000n });
    expect(quote).toMatchObject({ admission: 'assumed', accepted: true, credentials: [] });
  });
});
