import { createHash, createHmac, randomUUID } from 'node:crypto';

const LIFETIME_SECONDS = 300;

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * The `Upstash-Signature` of a callback: a JWT (HS256) over the destination and the body's SHA-256. Its times are real
 * ones, not the virtual clock's: the receiver checks them against its own clock.
 */
export function signCallback(url: string, body: Buffer, signingKey: string): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'Upstash',
    sub: url,
    exp: nowSeconds + LIFETIME_SECONDS,
    nbf: nowSeconds,
    iat: nowSeconds,
    jti: `jwt_${randomUUID()}`,
    body: createHash('sha256').update(body).digest('base64url'),
  };
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
  return `${signed}.${createHmac('sha256', signingKey).update(signed).digest('base64url')}`;
}
