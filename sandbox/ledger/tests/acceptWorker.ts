import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

/** Asks a server to close a ledger while the thread that wants it stands still (see `realServer.ts`). */
const { url, cells } = workerData as { url: string; cells: Int32Array };
const socket = new WebSocket(url);

function answered(closedIndex: number): void {
  cells[1] = closedIndex;
  Atomics.store(cells, 0, 1);
  Atomics.notify(cells, 0);
}

socket.on('open', () => parentPort?.postMessage('open'));
socket.on('error', (error) => parentPort?.postMessage(error.message));
socket.on('message', (data) => {
  const answer = JSON.parse(String(data)) as { result?: { ledger_current_index?: number } };
  answered((answer.result?.ledger_current_index ?? 0) - 1);
});
parentPort?.on('message', () => socket.send('{"command":"ledger_accept"}'));
