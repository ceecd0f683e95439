import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A new key and a certificate that it signed itself, valid for a day, for `altName` (`IP:…` or `DNS:…`). */
export async function newCertificate(altName: string): Promise<{ key: string; cert: string }> {
  const { stdout } = await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=a receiver of the tests', '-addext', `subjectAltName=${altName}`, '-keyout', '-', '-out', '-'],
  ]);
  const [key = '', cert = ''] = stdout.match(/-----BEGIN [\s\S]*?-----END [^-]+-----/g) ?? [];
  return { key, cert };
}
