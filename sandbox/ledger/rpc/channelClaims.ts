import { decodeAccountPublic } from 'ripple-address-codec';
import { sign } from 'ripple-keypairs';
import { claimHex, isPublicKey } from '../engine/paymentChannel.ts';
import { verifies } from '../engine/signature.ts';
import type { JsonObject } from '../json.ts';
import { keypairOf } from './keypair.ts';
import { type Handler, RpcError } from './types.ts';

const MAX_UINT64 = (1n << 64n) - 1n;

function requireFields(request: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    if (request[name] === undefined) throw new RpcError('invalidParams', { message: `Missing field '${name}'.` });
  }
}

/** What the claim of a request is signed over, in hex. */
function claimOf({ channel_id: channel, amount }: JsonObject): string {
  if (typeof channel !== 'string' || !/^[0-9A-F]{64}$/i.test(channel)) throw new RpcError('channelMalformed');
  const drops = typeof amount === 'string' && /^\d{1,20}$/.test(amount) ? BigInt(amount) : undefined;
  if (drops === undefined || drops > MAX_UINT64) throw new RpcError('channelAmtMalformed');
  return claimHex(channel.toUpperCase(), drops);
}

function publicKeyHex(text: JsonObject[string]): string {
  if (typeof text === 'string') {
    try {
      return Buffer.from(decodeAccountPublic(text)).toString('hex').toUpperCase();
    } catch {
      if (isPublicKey(text)) return text.toUpperCase();
    }
  }
  throw new RpcError('publicMalformed');
}

/** `channel_verify`: whether a signature authorises payment of an amount out of a channel; the ledger is not asked. */
export const channelVerify: Handler = (_context, request) => {
  requireFields(request, ['public_key', 'channel_id', 'amount', 'signature']);
  const key = publicKeyHex(request.public_key);
  const claim = claimOf(request);
  const { signature } = request;
  if (typeof signature !== 'string' || !/^[0-9A-F]+$/i.test(signature)) throw new RpcError('invalidParams');
  const bytes = signature.length % 2 === 0 ? signature : `0${signature}`;
  return { signature_verified: verifies(claim, bytes, key) };
};

/** `channel_authorize`: signs a claim; for a developer's own machine only, as every command that takes a secret. */
export const channelAuthorize: Handler = ({ apiVersion }, request) => {
  requireFields(request, ['channel_id', 'amount']);
  const { privateKey } = keypairOf(request, apiVersion);
  return { signature: sign(claimOf(request), privateKey) };
};
