import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { env } from '#lib/base/env.ts';
import { geist, geistMono } from './fonts.ts';
import './globals.css';
import { THEME_SCRIPT } from './theme.ts';

const DESCRIPTION =
  'Token sales on the XRP Ledger that anyone can verify: price tiers, exact allocations, automatic refunds.';

export const generateMetadata = async (): Promise<Metadata> => {
  await connection();
  return {
    metadataBase: new URL(env().BASE_URL),
    title: { default: 'Tranche: token sales on the XRP Ledger', template: '%s · Tranche' },
    description: DESCRIPTION,
    openGraph: { type: 'website', siteName: 'Tranche' },
    twitter: { card: 'summary_large_image' },
  };
};

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#0d1012' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // A page that was made when the app was built could not carry the nonce of this request.
  await connection();
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    // The script below sets an attribute of it, and a browser shows the nonce of no script.
    <html lang="en" suppressHydrationWarning className={`${geist.variable} ${geistMono.variable}`}>
      <head>
        <script nonce={nonce} suppressHydrationWarning>
          {THEME_SCRIPT}
        </script>
      </head>
      <body>{children}</body>
    </html>
  );
}
