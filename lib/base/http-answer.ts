import type { ClientRequest, ClientRequestArgs, IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** `request` of node:http or node:https. */
type Send = (url: URL, options: ClientRequestArgs, onAnswer: (answer: IncomingMessage) => void) => ClientRequest;

interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends one request, and reads its whole answer as text. Throws when the connection fails or ends before that, or `signal` aborts. */
export const httpAnswer = (send: Send, url: URL, options: ClientRequestArgs, body?: string): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const sent = send(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
