import type { Metadata } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import './layout.css';

export const metadata: Metadata = {
  title: 'Tranche',
  description: 'Open-source token sales on the XRP Ledger',
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // A page that was made when the app was built could not carry the nonce of this request.
  await connection();
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
