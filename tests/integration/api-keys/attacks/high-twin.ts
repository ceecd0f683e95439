const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const integer = (value: bigint): string => {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const positive = Number.parseInt(even.slice(0, 2), 16) < 0x80 ? even : `00${even}`;
  return `02${(positive.length / 2).toString(16).padStart(2, '0')}${positive}`;
};

/** The other signature that fits the same bytes under plain ECDSA: of S its mirror in the high half of the curve, in DER. */
export function highTwin(der: string): string {
  const bytes = Buffer.from(der, 'hex');
  const lengthOfR = bytes[3] ?? 0;
  const r = BigInt(`0x${bytes.subarray(4, 4 + lengthOfR).toString('hex')}`);
  const s = BigInt(`0x${bytes.subarray(6 + lengthOfR).toString('hex')}`);
  const body = integer(r) + integer(ORDER - s);
  return `30${(body.length / 2).toString(16)}${body}`.toUpperCase();
}
