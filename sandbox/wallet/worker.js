// Keeps one account for each ledger of a sandbox, and has that ledger's server sign with its key: play money only.

async function rpc(ledger, method, params) {
  const response = await fetch(`http://${ledger}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method, params: [params] }),
  });
  return (await response.json()).result;
}

const exists = async (ledger, account) =>
  (await rpc(ledger, 'account_info', { account, ledger_index: 'validated' })).error === undefined;

/** The account on this ledger, made and funded anew where the sandbox has started with an empty one. */
async function accountOn(ledger) {
  const { [ledger]: kept } = await chrome.storage.local.get(ledger);
  if (kept !== undefined && (await exists(ledger, kept.address))) return kept;
  const response = await fetch(`http://${ledger}/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ xrpAmount: 1000 }),
  });
  const { account } = await response.json();
  while (!(await exists(ledger, account.address))) await new Promise((wake) => setTimeout(wake, 200));
  await chrome.storage.local.set({ [ledger]: account });
  return account;
}

async function submitOn(ledger, transaction) {
  const { address, secret } = await accountOn(ledger);
  if (transaction.Account !== undefined && transaction.Account !== address)
    throw new Error(`This wallet is ${address}.`);
  const result = await rpc(ledger, 'submit', { secret, tx_json: { ...transaction, Account: address } });
  if (result.engine_result !== 'tesSUCCESS' && result.engine_result !== 'terQUEUED') {
    throw new Error(result.engine_result_message ?? result.error_message ?? result.error);
  }
  return result.tx_json.hash;
}

const tasks = {
  account: async ({ ledger }) => ({ address: (await accountOn(ledger)).address }),
  submit: ({ ledger, transaction }) => submitOn(ledger, transaction),
};

chrome.runtime.onMessage.addListener((task, _, reply) => {
  tasks[task.what](task).then(
    (answer) => reply({ answer }),
    (error) => reply({ error: error.message }),
  );
  // The answer comes later.
  return true;
});
