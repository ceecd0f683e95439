/** As docs/webhooks.md has them, where a test runs them against real deliveries; another holds the two together. */

export const NODE_SNIPPET = `import { createHmac, timingSafeEqual } from 'node:crypto';

const equal = (a, b) => a.length === b.length && timingSafeEqual(a, b);

/** X-Platform-Signature. \`rawBody\` is a Buffer with the bytes as they came. */
export function isFromPlatform(rawBody, headers, secrets) {
  const given = Buffer.from(headers['x-platform-signature'] ?? '');
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
    return equal(given, Buffer.from(expected));
  });
}

/** Standard Webhooks, not older or newer than the tolerance. */
export function isStandardWebhook(rawBody, headers, secrets, toleranceSeconds = 300) {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  if (!/^\\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const given = signatures.split(' ').map((one) => Buffer.from(one));
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const mac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(rawBody).digest('base64');
    return given.some((one) => equal(one, Buffer.from(\`v1,\${mac}\`)));
  });
}`;

export const PYTHON_SNIPPET = `import base64
import hashlib
import hmac
import time


def _equal(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode(), b.encode())


def is_from_platform(raw_body: bytes, headers, secrets) -> bool:
    """X-Platform-Signature."""
    given = headers.get("x-platform-signature", "")
    expected = [hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest() for secret in secrets]
    return any(_equal(given, one) for one in expected)


def is_standard_webhook(raw_body: bytes, headers, secrets, tolerance_seconds=300) -> bool:
    """Standard Webhooks, not older or newer than the tolerance."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs(time.time() - int(timestamp)) > tolerance_seconds:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + raw_body
    given = headers.get("webhook-signature", "").split(" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(_equal(one, expected) for one in given):
            return True
    return False`;
