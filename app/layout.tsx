import type { Metadata } from 'next';
import type { ReactNode } from 'react';

export const metadata: Metadata = {
  title: 'Tranche',
  description: 'Open-source token sales on the XRP Ledger',
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body
        style={{
          fontFamily: 'system-ui, sans-serif',
          lineHeight: 1.5,
          maxWidth: '40rem',
          margin: '3rem auto',
          padding: '0 1rem',
        }}
      >
        {children}
      </body>
    </html>
  );
}
