import { readAccountControl } from '@tranche/verifier/read-control.ts';
import { readFirstCredentials } from '@tranche/verifier/read-credentials.ts';
import { readCreatedEscrow, readEscrowStands } from '@tranche/verifier/read-escrow.ts';
import { readFeed, readLedgerHead } from '@tranche/verifier/read-feed.ts';
import { readAccount, readAccountFlags, readBalanceAt, readDepositAuthorized, readNextSequence } from './account.ts';
import { type LedgerServer, ledgerServers } from './connection.ts';
import { ledgerUnavailable } from './fault.ts';
import { nextHolderPage, openHolders } from './holders.ts';
import { watchLedgers } from './ledger-watch.ts';
import { readMptHolding, readMptIssuance, readMptIssuancesOf } from './mpt.ts';
import { readLeavingObjects } from './own-objects.ts';
import { readServerState } from './server-state.ts';
import { readTickets, readTicketsAt, readTicketUses } from './tickets.ts';
import { lookUpAll, readValidatedPayment, submitBlob } from './transactions.ts';
import { readHeldTokens, readIssuedLines, readTrustLine } from './trust-lines.ts';
import type { Ledger } from './types.ts';

/** For all that are asked for at once: a job has a few seconds for everything, and a person waits for a quote. */
const CREDENTIALS_WITHIN_MS = 3_000;
/** A server that told none in that time is asked for none so long. */
const SILENT_FOR_MS = 15_000;

export interface ClosableLedger extends Ledger {
  /** Ends the connections; a later call opens new ones. */
  close(): Promise<void>;
}

/**
 * A ledger port of its own over the given servers, the preferred one first. Nothing is loaded or connected before the
 * first call. The process-wide port is `lazyLedger()`; this one serves a second opinion from certain servers only.
 */
export function openLedger(options: { urls: readonly string[]; networkId: number }): ClosableLedger {
  const servers = ledgerServers(options);
  const silentUntilMs = new Map<string, number>();
  return {
    watch: (quorum) => watchLedgers(servers, quorum),
    serverState: () => servers.use(readServerState),
    readFeed: (request) => servers.use((server) => readFeed(server, request)),
    readFeedEverywhere: (request) => servers.useEach((server) => readFeed(server, request)),
    head: (ledgerIndex) => servers.use((server) => readLedgerHead(server, ledgerIndex)),
    headEverywhere: (ledgerIndex) => servers.useEach((server) => readLedgerHead(server, ledgerIndex)),
    closedAtMs: async (ledgerIndex) => (await servers.use((server) => readLedgerHead(server, ledgerIndex))).closedAtMs,
    account: (address) => servers.use((server) => readAccount(server, address)),
    accountFlags: (address) => servers.use((server) => readAccountFlags(server, address)),
    balanceAt: (address, ledgerIndex) => servers.use((server) => readBalanceAt(server, address, ledgerIndex)),
    accountControl: (address, ledgerIndex) => servers.use((server) => readAccountControl(server, address, ledgerIndex)),
    credentials: async (questions) => {
      const ask = (server: LedgerServer) => readFirstCredentials(server, questions, CREDENTIALS_WITHIN_MS);
      const answers = [await servers.use(ask), ...(await servers.useEach(ask))];
      const read = questions.map((_, index) =>
        answers.map((each) => each.read[index]).find((each) => each !== undefined),
      );
      const trouble = answers.find((each) => each.trouble !== null)?.trouble ?? null;
      if (trouble !== null && read.every((each) => each === undefined)) {
        throw ledgerUnavailable('No ledger server tells credentials now', trouble);
      }
      return read;
    },
    credentialsEverywhere: async (questions) => {
      const answers = await servers.useEach(async (server) => {
        // Where others tell, nobody waits time and again for one that does not.
        if ((silentUntilMs.get(server.url) ?? 0) > performance.now()) return [];
        const begunAtMs = performance.now();
        const { read } = await readFirstCredentials(server, questions, CREDENTIALS_WITHIN_MS);
        const tookLong = performance.now() - begunAtMs > CREDENTIALS_WITHIN_MS / 2;
        const isSilent = tookLong && read.every((each) => each === undefined);
        silentUntilMs.set(server.url, isSilent ? performance.now() + SILENT_FOR_MS : 0);
        return read;
      });
      return answers.filter(({ length }) => length > 0);
    },
    nextSequence: (address) => servers.use((server) => readNextSequence(server, address)),
    leavingObjects: (address) => servers.use((server) => readLeavingObjects(server, address)),
    heldTokens: (address) => servers.use((server) => readHeldTokens(server, address)),
    trustLine: (...asked) => servers.use((server) => readTrustLine(server, ...asked)),
    issuedLines: (issuer, currency, maxPages) =>
      servers.use((server) => readIssuedLines(server, issuer, currency, maxPages)),
    openHolders: (token) => openHolders(servers, token),
    holderPage: (token, reading, marker) => nextHolderPage(servers, token, reading, marker),
    tickets: (address) => servers.use((server) => readTickets(server, address)),
    ticketsAt: (address) => servers.use((server) => readTicketsAt(server, address)),
    ticketUses: async (search) => {
      const read = (server: LedgerServer) => readTicketUses(server, search);
      return [await servers.use(read), ...(await servers.useEach(read))].flat();
    },
    depositAuthorized: (source, destination) =>
      servers.use((server) => readDepositAuthorized(server, source, destination)),
    mptHolding: (...asked) => servers.use((server) => readMptHolding(server, ...asked)),
    mptIssuance: (issuanceId) => servers.use((server) => readMptIssuance(server, issuanceId)),
    mptIssuancesOf: (issuer) => servers.use((server) => readMptIssuancesOf(server, issuer)),
    submit: (blob) => servers.use((server) => submitBlob(server, blob)),
    validatedPayment: async (hash) => {
      const read = (server: LedgerServer) => readValidatedPayment(server, hash);
      return [await servers.use(read), ...(await servers.useEach(read))].find((found) => found !== null) ?? null;
    },
    createdEscrow: (hash, ledgerIndex) => servers.use((server) => readCreatedEscrow(server, hash, ledgerIndex)),
    escrowStands: (escrowId, ledgerIndex) => servers.use((server) => readEscrowStands(server, escrowId, ledgerIndex)),
    escrowStandsEverywhere: (escrowId, ledgerIndex) =>
      servers.useEach((server) => readEscrowStands(server, escrowId, ledgerIndex)),
    createdEscrowEverywhere: (hash) => servers.useEach((server) => readCreatedEscrow(server, hash, null)),
    lookUpAll: (hashes, sentBy) => servers.use((server) => lookUpAll(server, hashes, sentBy)),
    lookUpEverywhere: (hashes) => servers.useEach((server) => lookUpAll(server, hashes)),
    async lookUp(hash) {
      const [answer] = await servers.use((server) => lookUpAll(server, [hash]));
      if (answer === undefined) throw ledgerUnavailable('The ledger server gave no answer');
      return answer;
    },
    close: () => servers.close(),
  };
}
