/** Engine results: name to code and message, as xrpld 3.2.0 gives them. */
export const RESULTS = {
  telBAD_DOMAIN: [-398, 'Domain too long.'],
  telBAD_PATH_COUNT: [-397, 'Malformed: Too many paths.'],
  telINSUF_FEE_P: [-394, 'Fee insufficient.'],
  telNO_DST_PARTIAL: [-393, 'Partial payment to create account not allowed.'],
  telWRONG_NETWORK: [-386, 'Transaction specifies a Network ID that differs from that of the local node.'],
  telREQUIRES_NETWORK_ID: [-385, 'Transactions submitted to this node/network must include a correct NetworkID field.'],
  telNETWORK_ID_MAKES_TX_NON_CANONICAL: [
    -384,
    'Transactions submitted to this node/network must NOT include a NetworkID field.',
  ],
  temMALFORMED: [-299, 'Malformed transaction.'],
  temBAD_AMOUNT: [-298, 'Malformed: Bad amount.'],
  temBAD_CURRENCY: [-297, 'Malformed: Bad currency.'],
  temBAD_FEE: [-295, 'Invalid fee, negative or not XRP.'],
  temBAD_LIMIT: [-293, 'Limits must be non-negative.'],
  temBAD_SEND_XRP_LIMIT: [-288, 'Malformed: Limit quality is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_MAX: [-287, 'Malformed: Send max is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_NO_DIRECT: [-286, 'Malformed: No Ripple direct is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_PARTIAL: [-285, 'Malformed: Partial payment is not allowed for XRP to XRP.'],
  temBAD_SEND_XRP_PATHS: [-284, 'Malformed: Paths are not allowed for XRP to XRP.'],
  temBAD_SEQUENCE: [-283, 'Malformed: Sequence is not in the past.'],
  temBAD_SIGNATURE: [-282, 'Malformed: Bad signature.'],
  temBAD_SRC_ACCOUNT: [-281, 'Malformed: Bad source account.'],
  temBAD_REGKEY: [-289, 'Malformed: Regular key cannot be same as master key.'],
  temBAD_TRANSFER_RATE: [-280, 'Malformed: Transfer rate must be >= 1.0 and <= 2.0'],
  temDST_IS_SRC: [-279, 'Destination may not be source.'],
  temDST_NEEDED: [-278, 'Destination not specified.'],
  temINVALID: [-277, 'The transaction is ill-formed.'],
  temINVALID_FLAG: [-276, 'The transaction has an invalid flag.'],
  temREDUNDANT: [-275, 'The transaction is redundant.'],
  temDISABLED: [-273, 'The transaction requires logic that is currently disabled.'],
  temBAD_SIGNER: [-272, 'Malformed: No signer may duplicate account or other signers.'],
  temBAD_QUORUM: [-271, 'Malformed: Quorum is unreachable.'],
  temBAD_WEIGHT: [-270, 'Malformed: Weight must be a positive value.'],
  temBAD_TICK_SIZE: [-269, 'Malformed: Tick size out of range.'],
  temCANNOT_PREAUTH_SELF: [-267, 'Malformed: An account may not preauthorize itself.'],
  temINVALID_COUNT: [-266, 'Malformed: Count field outside valid range.'],
  temUNKNOWN: [-264, 'The transaction requires logic that is not implemented yet.'],
  temSEQ_AND_TICKET: [-263, 'Transaction contains a TicketSequence and a non-zero Sequence.'],
  temBAD_TRANSFER_FEE: [-251, 'Malformed: Transfer fee is outside valid range.'],
  tefALREADY: [-198, 'The exact transaction was already in this ledger.'],
  tefBAD_AUTH: [-196, "Transaction's public key is not authorized."],
  tefEXCEPTION: [-193, 'Unexpected program state.'],
  tefPAST_SEQ: [-190, 'This sequence number has already passed.'],
  tefWRONG_PRIOR: [-189, 'This previous transaction does not match.'],
  tefMASTER_DISABLED: [-188, 'Master key is disabled.'],
  tefMAX_LEDGER: [-187, 'Ledger sequence too high.'],
  tefBAD_SIGNATURE: [-186, 'A signature is provided for a non-signer.'],
  tefBAD_QUORUM: [-185, 'Signatures provided do not meet the quorum.'],
  tefNOT_MULTI_SIGNING: [-184, 'Account has no appropriate list of multi-signers.'],
  tefBAD_AUTH_MASTER: [-183, 'Auth for unclaimed account needs correct master key.'],
  tefNO_AUTH_REQUIRED: [-191, 'Auth is not required.'],
  tefTOO_BIG: [-181, 'Transaction affects too many items.'],
  tefNO_TICKET: [-180, 'Ticket is not in ledger.'],
  terINSUF_FEE_B: [-97, 'Account balance cannot pay fee.'],
  terNO_ACCOUNT: [-96, 'The source account does not exist.'],
  terPRE_SEQ: [-92, 'Missing/inapplicable prior transaction.'],
  terPRE_TICKET: [-88, 'Ticket is not yet in ledger.'],
  tesSUCCESS: [0, 'The transaction was applied. Only final in a validated ledger.'],
  tecPATH_PARTIAL: [101, 'Path could not send full amount.'],
  tecUNFUNDED_PAYMENT: [104, 'Insufficient XRP balance to send.'],
  tecDIR_FULL: [121, 'Can not add entry to full directory.'],
  tecINSUF_RESERVE_LINE: [122, 'Insufficient reserve to add trust line.'],
  tecNO_DST: [124, 'Destination does not exist. Send XRP to create it.'],
  tecNO_DST_INSUF_XRP: [125, 'Destination does not exist. Too little XRP sent to create it.'],
  tecNO_LINE_INSUF_RESERVE: [126, "Can't accept line; insufficient reserve."],
  tecNO_LINE_REDUNDANT: [127, "Can't set non-existent line to default."],
  tecPATH_DRY: [128, 'Path could not send partial amount.'],
  tecNO_ALTERNATIVE_KEY: [130, 'The operation would remove the ability to sign transactions with the account.'],
  tecNO_REGULAR_KEY: [131, 'Regular key is not set.'],
  tecOWNERS: [132, 'Non-zero owner count.'],
  tecNO_ISSUER: [133, 'Issuer account does not exist.'],
  tecNO_AUTH: [134, 'Not authorized to hold asset.'],
  tecNO_LINE: [135, 'No such line.'],
  tecINSUFF_FEE: [136, 'Insufficient balance to pay fee.'],
  tecFROZEN: [137, 'Asset is frozen.'],
  tecNO_TARGET: [138, 'Target account does not exist.'],
  tecNO_PERMISSION: [139, 'No permission to perform requested operation.'],
  tecNO_ENTRY: [140, 'No matching entry found.'],
  tecINSUFFICIENT_RESERVE: [141, 'Insufficient reserve to complete requested operation.'],
  tecNEED_MASTER_KEY: [142, 'The operation requires the use of the Master Key.'],
  tecDST_TAG_NEEDED: [143, 'A destination tag is required.'],
  tecINTERNAL: [144, 'An internal error has occurred during processing.'],
  tecDUPLICATE: [149, 'Ledger object already exists.'],
  tecHAS_OBLIGATIONS: [151, 'The account cannot be deleted since it has obligations.'],
  tecTOO_SOON: [152, 'It is too early to attempt the requested operation. Please wait.'],
  tecINSUFFICIENT_FUNDS: [159, 'Not enough funds available to complete requested transaction.'],
  tecOBJECT_NOT_FOUND: [160, 'A requested object could not be located.'],
  tecLOCKED: [192, 'Fund is locked.'],
} as const satisfies Record<string, readonly [code: number, message: string]>;

export type ResultName = keyof typeof RESULTS;

export const isTec = (result: ResultName): boolean => result.startsWith('tec');
/** A retry class result: the transaction may apply later. */
export const isTer = (result: ResultName): boolean => result.startsWith('ter');
export const isSuccess = (result: ResultName): boolean => result === 'tesSUCCESS';
export const isFinalRefusal = (result: ResultName): boolean => /^te[flm]/.test(result);

/** The three fields by which every answer and stream shows an engine result. */
export function engineResult(result: ResultName): {
  engine_result: string;
  engine_result_code: number;
  engine_result_message: string;
} {
  const [code, message] = RESULTS[result];
  return { engine_result: result, engine_result_code: code, engine_result_message: message };
}
