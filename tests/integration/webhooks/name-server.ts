import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NAME_ERROR = 3;

/** Addresses of a name; `unknown` is the answer that there is no such name, `silence` none at all. */
export type Told = readonly string[] | 'unknown' | 'silence';

export interface NameServer {
  /** As a resolver takes it. */
  address: string;
  /** Names asked for, one entry a question. */
  asked: string[];
  close(): Promise<void>;
}

/** Gives the name that a question asks for, its type, and where the question ends. */
function questionOf(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

const recordOf = (address: string, type: number): Buffer => {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(12);
  // The name is that of the question, by reference to its place.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
};

/** A name server on the loopback (RFC 1035 over UDP) that tells what `tell` says; `n` counts the questions of one type from 1. */
export async function startNameServer(tell: (name: string, n: number) => Told): Promise<NameServer> {
  const asked: string[] = [];
  const counts = new Map<number, number>();
  const socket = createSocket('udp4', (packet, peer) => {
    const { name, type, end } = questionOf(packet);
    const n = (counts.get(type) ?? 0) + 1;
    counts.set(type, n);
    asked.push(name);
    const told = tell(name, n);
    if (told === 'silence') return;
    const family = type === TYPE_A ? 'ipv4' : 'ipv6';
    const addresses = told === 'unknown' ? [] : told.filter((address) => ipaddr.parse(address).kind() === family);
    const records = type === TYPE_A || type === TYPE_AAAA ? addresses.map((address) => recordOf(address, type)) : [];
    const header = Buffer.from(packet.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (told === 'unknown' ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, packet.subarray(12, end), ...records]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
