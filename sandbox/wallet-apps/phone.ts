/** A wallet on a phone: one account of the sandbox's ledger, whose server signs with its key. Play money only. */
export interface Phone {
  address(): Promise<string>;
  /** Signs and submits as its owner; what a wallet fills in is filled in. */
  submit(transaction: Record<string, unknown>): Promise<{ hash: string; result: string }>;
}

interface Account {
  address: string;
  secret: string;
}

/** Ledger indexes below this count from the moment of the signature (docs.xaman.dev, "Lifecycle"). */
const RELATIVE_BELOW = 32_570;
const FUNDED_XRP = 1_000;

interface RpcResult {
  error?: string;
  error_message?: string;
  engine_result?: string;
  ledger_current_index?: number;
  tx_json?: { hash: string };
}

async function postJson(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** The account is made and funded when it is first needed. */
export function openPhone({ rpcUrl, faucetUrl }: { rpcUrl: string; faucetUrl: string }): Phone {
  const rpc = async (method: string, params: object) =>
    ((await postJson(rpcUrl, { method, params: [params] })) as { result: RpcResult }).result;

  async function open(): Promise<Account> {
    const { account } = (await postJson(faucetUrl, { xrpAmount: FUNDED_XRP })) as { account: Account };
    const isThere = async () =>
      (await rpc('account_info', { account: account.address, ledger_index: 'validated' })).error === undefined;
    while (!(await isThere())) await new Promise((wake) => setTimeout(wake, 200));
    return account;
  }

  let account: Promise<Account> | undefined;
  const owner = () => {
    account ??= open();
    return account;
  };
  return {
    address: async () => (await owner()).address,
    async submit(transaction) {
      const { address, secret } = await owner();
      const filled: Record<string, unknown> = { ...transaction, Account: address };
      const last = transaction.LastLedgerSequence;
      if (typeof last === 'number' && last < RELATIVE_BELOW) {
        const { ledger_current_index: current = 0 } = await rpc('ledger_current', {});
        filled.LastLedgerSequence = current + last;
      }
      const { error, error_message, engine_result: result, tx_json } = await rpc('submit', { secret, tx_json: filled });
      if (result === undefined || tx_json === undefined) throw new Error(error_message ?? error ?? 'not submitted');
      return { hash: tx_json.hash, result };
    },
  };
}
