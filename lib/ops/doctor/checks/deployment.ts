import { isLoopbackUrl } from '#lib/base/loopback-url.ts';
import { defineCheck, type Finding, fault, ok, warning } from '../types.ts';

const check = 'deployment';
const MAIN_NETWORK = 0;

/** Settings that are fine on this machine and not for others, and those that do not go together. */
export const deploymentCheck = defineCheck({
  name: check,
  needs: [
    'BASE_URL',
    'WEBHOOK_ALLOW_LOOPBACK',
    'VALIDATE_RESPONSES',
    'RATE_LIMIT_SCALE',
    'API_KEY_MODE',
    'XRPL_NETWORK_ID',
    'XRPL_URLS',
  ],
  timeoutMs: 1_000,
  run: async (settings) => {
    const { BASE_URL, XRPL_URLS, XRPL_NETWORK_ID } = settings;
    if (isLoopbackUrl(BASE_URL)) return [ok(check, 'a sandbox on this machine')];
    const found: Finding[] = [];
    const url = new URL(BASE_URL);
    if (url.protocol !== 'https:') {
      found.push(fault('setting BASE_URL', 'is not https', 'Set BASE_URL to the https address of the deployment.'));
    }
    if (url.pathname !== '/' || url.search !== '') {
      found.push(fault('setting BASE_URL', 'has a path', 'Set BASE_URL to scheme and host alone.'));
    }
    if (settings.WEBHOOK_ALLOW_LOOPBACK) {
      const advice = 'Set WEBHOOK_ALLOW_LOOPBACK to 0: webhooks could reach what listens beside the app.';
      found.push(fault('setting WEBHOOK_ALLOW_LOOPBACK', 'is on', advice));
    }
    if (settings.VALIDATE_RESPONSES) {
      found.push(warning('setting VALIDATE_RESPONSES', 'is on', 'Set it to 0: it costs time and is for tests.'));
    }
    if (settings.RATE_LIMIT_SCALE > 1) {
      const advice = 'Set RATE_LIMIT_SCALE to 1 unless a load test is under way.';
      found.push(warning('setting RATE_LIMIT_SCALE', `is ${settings.RATE_LIMIT_SCALE}`, advice));
    }
    const mode = XRPL_NETWORK_ID === MAIN_NETWORK ? 'live' : 'test';
    if (settings.API_KEY_MODE !== mode) {
      const advice = `Set API_KEY_MODE to ${mode}: keys should say which network they are for.`;
      found.push(warning('setting API_KEY_MODE', `is ${settings.API_KEY_MODE} on network ${XRPL_NETWORK_ID}`, advice));
    }
    if (XRPL_URLS.length === 1) {
      const advice =
        'Name a second one of another operator: payments are then confirmed only as two servers show them.';
      found.push(warning('setting XRPL_URLS', 'names one server', advice));
    }
    const plain = XRPL_URLS.filter((server) => server.startsWith('ws:') && !isLoopbackUrl(server));
    if (plain.length > 0) {
      found.push(
        warning('setting XRPL_URLS', `${plain.length} not encrypted`, 'Use wss: others can change what is read.'),
      );
    }
    return found.length === 0 ? [ok(check, BASE_URL)] : found;
  },
});
