/**
 * Asks for what must be given: a refusal, which a limit or a slow machine may bring, is never taken for a result.
 *
 * @throws Error with the status and what the server said
 */
export async function fetchOk(address: string, options: RequestInit = {}): Promise<Response> {
  const answer = await fetch(address, options);
  if (answer.ok) return answer;
  throw new Error(`${options.method ?? 'GET'} ${address}: ${answer.status} ${await answer.text()}`);
}
