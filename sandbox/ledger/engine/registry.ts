import { accountDelete } from './accountDelete.ts';
import { accountSet } from './accountSet.ts';
import { batch } from './batch.ts';
import { checkCancel, checkCash, checkCreate } from './check.ts';
import { clawback } from './clawback.ts';
import { credentialAccept, credentialCreate, credentialDelete } from './credential.ts';
import { delegateSet } from './delegateSet.ts';
import { depositPreauth } from './depositPreauth.ts';
import { didDelete, didSet } from './did.ts';
import { escrowCancel } from './escrowCancel.ts';
import { escrowCreate } from './escrowCreate.ts';
import { escrowFinish } from './escrowFinish.ts';
import { ledgerStateFix } from './ledgerStateFix.ts';
import { mptAuthorize } from './mptAuthorize.ts';
import { mptIssuanceCreate, mptIssuanceDestroy, mptIssuanceSet } from './mptIssuance.ts';
import { offerCancel, offerCreate } from './offerCreate.ts';
import { oracleDelete, oracleSet } from './oracle.ts';
import { payment } from './payment.ts';
import { paymentChannelClaim, paymentChannelCreate, paymentChannelFund } from './paymentChannel.ts';
import { permissionedDomainDelete, permissionedDomainSet } from './permissionedDomain.ts';
import { setRegularKey } from './setRegularKey.ts';
import { signerListSet } from './signerListSet.ts';
import { ticketCreate } from './ticketCreate.ts';
import { trustSet } from './trustSet.ts';
import type { TransactionType } from './types.ts';

/** Every transaction type the sandbox knows, by its name on the ledger. Others are refused with temDISABLED. */
export const TRANSACTION_TYPES: Readonly<Record<string, TransactionType>> = {
  AccountDelete: accountDelete,
  AccountSet: accountSet,
  CheckCancel: checkCancel,
  CheckCash: checkCash,
  CheckCreate: checkCreate,
  Batch: batch,
  Clawback: clawback,
  CredentialAccept: credentialAccept,
  CredentialCreate: credentialCreate,
  CredentialDelete: credentialDelete,
  DelegateSet: delegateSet,
  DepositPreauth: depositPreauth,
  DIDDelete: didDelete,
  DIDSet: didSet,
  EscrowCancel: escrowCancel,
  EscrowCreate: escrowCreate,
  EscrowFinish: escrowFinish,
  LedgerStateFix: ledgerStateFix,
  MPTokenAuthorize: mptAuthorize,
  MPTokenIssuanceCreate: mptIssuanceCreate,
  MPTokenIssuanceDestroy: mptIssuanceDestroy,
  MPTokenIssuanceSet: mptIssuanceSet,
  OfferCancel: offerCancel,
  OfferCreate: offerCreate,
  OracleDelete: oracleDelete,
  OracleSet: oracleSet,
  Payment: payment,
  PaymentChannelClaim: paymentChannelClaim,
  PaymentChannelCreate: paymentChannelCreate,
  PaymentChannelFund: paymentChannelFund,
  PermissionedDomainDelete: permissionedDomainDelete,
  PermissionedDomainSet: permissionedDomainSet,
  SetRegularKey: setRegularKey,
  SignerListSet: signerListSet,
  TicketCreate: ticketCreate,
  TrustSet: trustSet,
};
