/** A benchmark as it is run here: a child process that reports its figures. */
export interface Bench {
  name: string;
  /** What it measures, in one line. */
  title: string;
  /** Arguments to node. */
  args: readonly string[];
  /** Added for the short form, which shows that it runs and nothing else. */
  quick: readonly string[];
  /** It takes an hour or more: only where it is asked for by name. */
  isLong?: true;
}

export const BENCHES: readonly Bench[] = [
  {
    name: 'api',
    title: 'Hot reads and first answers of the interface, beside a bare route handler of the same build',
    args: ['bench/api/main.ts'],
    quick: ['--rounds', '1', '--seconds', '1', '--route', '/api/projects'],
  },
  {
    name: 'holders',
    title: 'Synchronising the holders of a token, beside merely reading the same pages',
    args: ['bench/holders/main.ts'],
    quick: ['--holders', '5000', '--rounds', '2'],
  },
  {
    name: 'intake',
    title: 'Recognising and confirming payments, beside COPY of the same rows',
    args: ['bench/intake/main.ts'],
    quick: ['--payments', '5000'],
  },
  {
    name: 'payouts',
    title: 'Paying out tokens, beside a bare submission of ready-made transactions',
    args: ['bench/payouts/main.ts'],
    quick: ['--payouts', '400', '--custody', '200', '--sample', '10'],
  },
  {
    name: 'sandbox-ledger',
    title: 'The sandbox ledger, beside limits of the machine',
    args: ['bench/sandbox-ledger/main.ts'],
    quick: [],
  },
  {
    name: 'verify',
    title: 'Verifying a sale from outside, beside merely reading its history',
    args: ['bench/verify/main.ts'],
    quick: ['--payments', '2000', '--rounds', '1'],
  },
  {
    name: 'webhooks',
    title: 'Delivering webhooks, beside pg-boss doing the same POSTs',
    args: ['bench/webhooks/main.ts'],
    quick: ['--events', '50', '--rounds', '1', '--rate', '20', '--seconds', '5'],
  },
  {
    name: 'webhooks-launch',
    title: 'Delivering the webhooks of a launch, beside a Svix server where there is one',
    args: ['bench/webhooks/main.ts', '--launch'],
    quick: ['--rate', '20', '--seconds', '3', '--wide', '20', '--narrow', '50', '--whole', '20'],
  },
  {
    name: 'webhooks-hostile',
    title: 'Delivering webhooks beside receivers that misbehave',
    args: ['bench/webhooks/main.ts', '--hostile'],
    quick: ['--receivers', '4', '--rounds', '1', '--rate', '20', '--seconds', '5'],
  },
  {
    name: 'pages',
    title: 'Lighthouse and JavaScript of the pages, beside a bare page of the same build',
    args: ['bench/pages/main.ts'],
    quick: ['--runs', '1'],
  },
  {
    name: 'views',
    title: 'The sale page at 300 views a second, beside a bare route handler of the same build',
    args: ['bench/views/main.ts'],
    quick: ['--rate', '20', '--readers', '5', '--seconds', '2'],
  },
  {
    name: 'follow',
    title: 'A worker that follows the ledger, beside beats',
    args: ['bench/follow/main.ts'],
    quick: ['--payments', '20'],
  },
  {
    name: 'load',
    title: 'A sale in which everybody pays at once, by one instance and by four',
    args: ['bench/load/main.ts'],
    quick: ['--wallets', '300', '--webhooks', '5', '--reads', '5', '--steady', '30', '--instances', '1'],
  },
  {
    name: 'million',
    title: 'A million payments, tenth by tenth',
    args: ['bench/million/main.ts'],
    quick: ['--payments', '10000', '--wallets', '3000', '--payouts', '1000'],
    isLong: true,
  },
];
