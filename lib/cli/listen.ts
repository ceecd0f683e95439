import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandOutput } from '#lib/base/command-output.ts';
import type * as commands from '#lib/webhooks/listen/command.ts';

type Commands = typeof commands;

const isOnThisMachine = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

function url(text: string): URL {
  const given = URL.parse(text);
  if (given !== null && /^https?:$/.test(given.protocol) && given.username === '' && given.password === '')
    return given;
  throw new InvalidArgumentError('Give a URL (http://… or https://…) without a user name.');
}

/** The API key goes there. */
function platformUrl(text: string): string {
  const given = url(text);
  if (given.protocol === 'https:' || isOnThisMachine(given)) return given.origin;
  throw new InvalidArgumentError('Give an https:// URL: an API key must not be sent in the clear.');
}

const matching =
  (pattern: RegExp, what: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`Give ${what}.`);
  };
const EVENT_ID = /^evt_[0-9A-Za-z]{22}$/;
const eventId = matching(EVENT_ID, 'event ids (evt_…)');

function start(text: string): string {
  if (EVENT_ID.test(text)) return text;
  const time = new Date(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new InvalidArgumentError('Give a time such as 2026-11-21T12:00:00Z, or an event id (evt_…).');
}

const forwardOption = () =>
  new Option('--forward-to <url>', 'your receiver, such as http://localhost:4242/hook').argParser(
    (text: string) => url(text).href,
  );
const baseUrlOption = () => new Option('--base-url <url>', 'the platform').env('BASE_URL').argParser(platformUrl);

const SECRETS =
  '\nEnvironment: TRANCHE_API_KEY, an API key of the platform with the scope webhooks:read. TRANCHE_WEBHOOK_SECRET, a secret (whsec_…)\nto sign with in place of the one that is printed, which is the same at each start.';

/** The commands by which developers try their receivers (docs/webhooks.md#try-it-locally). */
export function addListenCommands(program: Command, say: CommandOutput): void {
  const load = async () => {
    const [verbs, { environmentSettings }] = await Promise.all([
      import('#lib/webhooks/listen/command.ts'),
      import('#lib/base/env.ts'),
    ]);
    return { verbs, settings: environmentSettings() };
  };

  program
    .command('listen')
    .summary("forward a platform's events to a receiver on your machine")
    .description(
      "Forwards a platform's events to a receiver on your machine, signed as webhooks are, without a public address. A line for each: time, the receiver's status, milliseconds, id and type. What the receiver does not take is named at the end, and can be sent again by `resend`.",
    )
    .addOption(forwardOption().makeOptionMandatory())
    .addOption(baseUrlOption().makeOptionMandatory())
    .option('--events <types>', 'only these event types, comma separated')
    .option('--project <id>', 'only events of this project (proj_…), and those of none')
    .addOption(
      new Option(
        '--since <start>',
        'begin with events recorded at a time, or after an event (evt_…); from now on when left out',
      ).argParser(start),
    )
    .option('--print-json', 'write the body of each event too', false)
    .addHelpText('after', SECRETS)
    .action(async (options: Parameters<Commands['listen']>[0]) => {
      const { verbs, settings } = await load();
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      // What its output is piped to has ended.
      process.stdout.once('error', () => stop.abort());
      process.exitCode = await verbs.listen(options, settings, say, stop.signal);
    });

  program
    .command('resend')
    .summary('forward single events to a receiver once more')
    .description('Forwards single events to a receiver once more, as `listen` does.')
    .argument('<events...>', 'their ids (evt_…)', (text: string, before: string[] = []) => [...before, eventId(text)])
    .addOption(forwardOption().makeOptionMandatory())
    .addOption(baseUrlOption().makeOptionMandatory())
    .addHelpText('after', `${SECRETS}\n\nExit code 0: the receiver took all. 1: not all.`)
    .action(async (ids: string[], options: { forwardTo: string; baseUrl: string }) => {
      const { verbs, settings } = await load();
      process.exitCode = await verbs.resend({ ...options, ids }, settings, say);
    });

  program
    .command('trigger')
    .summary('send a test event to a receiver or to a webhook')
    .description(
      'Sends a sample of an event type, with "test": true: to a receiver on your machine, signed as `listen` signs and without asking the platform; or by the platform to one of your webhooks.',
    )
    .argument('<type>', 'the event type, such as investment.confirmed')
    .addOption(forwardOption().conflicts('webhook'))
    .addOption(
      new Option('--webhook <id>', 'your webhook (wh_…); the key needs the scope webhooks:write').argParser(
        matching(/^wh_[0-9A-Za-z]{22}$/, 'the id of a webhook (wh_…)'),
      ),
    )
    .addOption(baseUrlOption())
    .addHelpText('after', `${SECRETS}\n\nExit code 0: it was taken. 1: it was not.`)
    .action(async (type: string, options: Parameters<Commands['trigger']>[1]) => {
      const { verbs, settings } = await load();
      process.exitCode = await verbs.trigger(type, options, settings, say);
    });
}
