// Speaks with the page as GemWallet and as Crossmark do, asks the person in front of it, and leaves keys and ledger to worker.js.

/** The sandbox's ledger listens at the port after the app's. */
const ledger = `${location.hostname}:${Number(location.port) + 1}`;

/** What the worker says; throws what it could not do. */
async function ask(task) {
  const { answer, error } = await chrome.runtime.sendMessage({ ledger, ...task });
  if (error !== undefined) throw new Error(error);
  return answer;
}

const account = () => ask({ what: 'account' });

function summary(transaction) {
  const { TransactionType, Amount, Destination, DestinationTag, LimitAmount } = transaction;
  if (TransactionType === 'Payment' && typeof Amount === 'string')
    return `Pay ${Number(Amount) / 1e6} XRP to ${Destination}, destination tag ${DestinationTag}`;
  if (TransactionType === 'Payment')
    return `Pay ${Amount.value} ${Amount.currency ?? Amount.mpt_issuance_id} to ${Destination}`;
  if (TransactionType === 'TrustSet') return `Trust ${LimitAmount.issuer} for ${LimitAmount.currency}`;
  const { Account: _, TransactionType: __, ...rest } = transaction;
  return `${TransactionType} ${JSON.stringify(rest)}`;
}

/** The hash of what the ledger took; null when the person declines. */
const submit = async (transaction) =>
  confirm(`Stand-in wallet\n\n${summary(transaction)}\n\nSign and submit?`)
    ? ask({ what: 'submit', transaction })
    : null;

const mayConnect = () => confirm(`Stand-in wallet\n\nShow your account to ${location.origin}?`);

/** Answers by the type of a request of GemWallet; null stands for what the person declined. */
const gemWallet = {
  'REQUEST_IS_INSTALLED/V3': async () => ({ isInstalled: true }),
  'REQUEST_GET_ADDRESS/V3': async () => ({ result: mayConnect() ? { address: (await account()).address } : null }),
  'REQUEST_GET_NETWORK/V3': async () => ({
    result: { chain: 'XRPL', network: 'Custom', websocket: `ws://${ledger}` },
  }),
  'REQUEST_SUBMIT_TRANSACTION/V3': async ({ transaction }) => {
    const hash = await submit(transaction);
    return { result: hash === null ? null : { hash } };
  },
};

const crossmarkMeta = (over) => ({
  ...{ isError: false, isRejected: false, isExpired: false, isSigned: false, isPending: false },
  ...{ isSuccess: false, isFail: false, isVerified: false },
  ...over,
});
const rejected = () => ({ meta: crossmarkMeta({ isRejected: true }) });

/** Answers by the command of a request of Crossmark. */
const crossmark = {
  sign: async ({ tx }) => {
    if (tx.TransactionType !== 'SignIn') return { meta: crossmarkMeta({ isError: true }) };
    return mayConnect()
      ? { address: (await account()).address, meta: crossmarkMeta({ isSigned: true, isSuccess: true }) }
      : rejected();
  },
  address: async () => ({ address: (await account()).address }),
  network: async () => ({
    network: { protocol: 'xrpl', type: 'custom', label: 'xrp ledger', wss: `ws://${ledger}`, rpc: `http://${ledger}` },
  }),
  user: async () => ({ user: { id: 'sandbox', username: 'sandbox', type: 'xrpl', developer: true } }),
  'sign-and-submit': async ({ tx }) => {
    const hash = await submit(tx);
    if (hash === null) return rejected();
    return { resp: { result: { hash } }, meta: crossmarkMeta({ isSigned: true, isSuccess: true }) };
  },
};

async function answerGemWallet({ messageId, type, payload }) {
  const reply = { source: 'GEM_WALLET_MSG_RESPONSE', messagedId: messageId };
  try {
    window.postMessage({ ...reply, ...(await gemWallet[type](payload)) }, location.origin);
  } catch (error) {
    window.postMessage({ ...reply, error: { name: 'Error', message: error.message } }, location.origin);
  }
}

async function answerCrossmark(request) {
  const { id, command, data } = request;
  let answer;
  try {
    answer = await crossmark[command](data);
  } catch (error) {
    answer = { errorMessage: error.message, meta: crossmarkMeta({ isError: true }) };
  }
  const response = { app: 'crossmark', type: 'response', id, command, data: answer };
  window.postMessage({ request, response, createdAt: Date.now(), resolvedAt: Date.now() }, location.origin);
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window) return;
  if (data?.source === 'GEM_WALLET_MSG_REQUEST' && Object.hasOwn(gemWallet, data.type)) answerGemWallet(data);
  if (data?.app === 'crossmark' && data.type === 'request' && Object.hasOwn(crossmark, data.command))
    answerCrossmark(data);
});
