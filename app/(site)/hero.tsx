import { buttonClass } from './_ui/button.tsx';
import { Icon, type IconName } from './_ui/icon.tsx';

const PROMISES: readonly { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'list',
    title: 'The ledger decides the order',
    text: 'The position of each payment on the XRP Ledger decides its price, and nothing else does.',
  },
  {
    icon: 'back',
    title: 'Nothing is lost',
    text: 'Every drop of a payment is invested, refunded, or held with a reason.',
  },
  {
    icon: 'check',
    title: 'Check it yourself',
    text: 'One command replays a whole sale from the public ledger and compares every token and refund.',
  },
];

/** What this place is, in one look. */
export function Hero() {
  return (
    <section className="pb-12 sm:pb-16">
      <div className="grid items-center gap-10 pt-2 sm:pt-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div>
          <h1 className="text-4xl font-semibold sm:text-6xl">Token sales you can check yourself</h1>
          <p className="mt-5 max-w-2xl text-lg text-soft sm:text-xl">
            Pay XRP from your own wallet and receive tokens at the price of the tier you reach. Change is refunded
            automatically, and anyone can verify the whole sale.
          </p>
          <p className="mt-7 flex flex-wrap gap-3">
            <a href="#sales" className={buttonClass('primary', 'px-6 text-base')}>
              See the sales
            </a>
            <a href="/developers" className={buttonClass('plain', 'px-6 text-base')}>
              Build with it
            </a>
          </p>
        </div>
        <Ladder />
      </div>
      <ul className="mt-12 grid gap-x-8 gap-y-6 border-t border-line pt-8 sm:grid-cols-3">
        {PROMISES.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon name={icon} className="size-5 text-accent" />
            <p className="mt-2.5 font-medium">{title}</p>
            <p className="mt-1 text-sm text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const RUNGS = [
  { width: 132, filled: 132 },
  { width: 188, filled: 188 },
  { width: 244, filled: 150 },
  { width: 300, filled: 0 },
] as const;
const RUNG_HEIGHT = 40;
const RUNG_EVERY = 58;

/** Tiers, each dearer than the one before, filled one after the other: a drawing, with no sale's figures in it. */
function Ladder() {
  return (
    <svg viewBox="0 0 300 218" aria-hidden className="hidden w-full lg:block">
      {RUNGS.toReversed().map(({ width, filled }, index) => (
        <g key={width}>
          <rect y={index * RUNG_EVERY} width={width} height={RUNG_HEIGHT} rx="12" className="fill-line" />
          {filled > 0 && (
            <rect
              y={index * RUNG_EVERY}
              width={filled}
              height={RUNG_HEIGHT}
              rx="12"
              className="fill-accent"
              opacity={filled === width ? 0.55 : 1}
            />
          )}
        </g>
      ))}
    </svg>
  );
}
