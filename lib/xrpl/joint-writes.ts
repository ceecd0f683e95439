import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';

/**
 * Lets the requests that are sent within one turn leave in one write. A slice of payouts asks hundreds of questions at once, and a
 * write for each of them takes longer than to make them. Nothing waits for what is sent later: the write comes
 * before the process turns to anything that arrives.
 */
function joinWrites<Socket extends Duplex>(socket: Socket): Socket {
  let isHeld = false;
  const { cork } = socket;
  // A WebSocket corks its socket for each message: for its header and its text.
  socket.cork = () => {
    cork.call(socket);
    if (isHeld) return;
    isHeld = true;
    cork.call(socket);
    process.nextTick(() => {
      isHeld = false;
      socket.uncork();
    });
  };
  return socket;
}

type CreateConnection = HttpAgent['createConnection'];

/** Connects as the agent does, to sockets that join their writes. */
function withJointWrites<Agent extends HttpAgent>(agent: Agent): Agent {
  const createConnection: CreateConnection = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = createConnection(...given);
    return socket == null ? socket : joinWrites(socket);
  };
  return agent;
}

/** For a connection to the server at `url` whose requests join their writes. */
export const jointWritesAgent = (url: string): HttpAgent =>
  withJointWrites(new URL(url).protocol === 'wss:' ? new HttpsAgent() : new HttpAgent());
