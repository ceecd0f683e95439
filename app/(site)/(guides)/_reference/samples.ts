import { HTTPSnippet } from '@readme/httpsnippet';
import type { MediaTypes } from '#lib/api/openapi-schema.ts';
import type { Entry } from './document.ts';

const LANGUAGES = [
  { tab: 'curl', fence: 'sh', target: 'shell', client: 'curl' },
  { tab: 'TypeScript', fence: 'ts', target: 'javascript', client: 'fetch' },
  { tab: 'Python', fence: 'python', target: 'python', client: 'requests' },
  { tab: 'Go', fence: 'go', target: 'go', client: 'native' },
] as const;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  isRequired: boolean;
  description: string;
  example: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export const parametersOf = ({ operation }: Entry): Parameter[] =>
  (operation.parameters ?? []).flatMap((one) => {
    if (!('name' in one) || one.in === 'cookie') return [];
    const schema = typeof one.schema === 'object' && !('$ref' in one.schema) ? one.schema : {};
    const example = one.example ?? ('example' in schema ? schema.example : undefined);
    return [
      {
        name: one.name,
        in: one.in as Parameter['in'],
        isRequired: one.required === true,
        description: one.description ?? '',
        example: textOf(example),
      },
    ];
  });

/** The example of a request's body as JSON; null where it has none. */
export function bodyOf({ operation }: Entry): unknown {
  const content = (operation.requestBody as { content?: MediaTypes } | undefined)?.content;
  return content?.['application/json']?.example ?? null;
}

/** Whether a call without any credential is refused. */
export const needsCredential = ({ operation }: Entry): boolean =>
  (operation.security ?? []).every((requirement) => Object.keys(requirement).length > 0);

/** The call of an operation in each language, as Markdown; by well-kept generators, so that none is written by hand. */
export function samplesOf(entry: Entry, baseUrl: string): string {
  const parameters = parametersOf(entry).filter(({ isRequired }) => isRequired);
  const body = bodyOf(entry);
  const path = parameters
    .filter((one) => one.in === 'path')
    .reduce((so, { name, example }) => so.replace(`{${name}}`, encodeURIComponent(example)), entry.path);
  const query = parameters.filter((one) => one.in === 'query').map(({ name, example }) => ({ name, value: example }));
  const headers = [
    ...(needsCredential(entry) ? [{ name: 'Authorization', value: 'Bearer YOUR_KEY' }] : []),
    ...(body === null ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
  ];
  const request = {
    method: entry.method.toUpperCase(),
    url: new URL(path, baseUrl).href,
    httpVersion: 'HTTP/1.1',
    headers,
    queryString: query,
    cookies: [],
    headersSize: -1,
    bodySize: -1,
    ...(body === null ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
  };
  // Its type asks for a body of every request; it makes none of a request without.
  const snippet = new HTTPSnippet(request as ConstructorParameters<typeof HTTPSnippet>[0]);
  return LANGUAGES.map(({ tab, fence, target, client }) => {
    const [text] = [snippet.convert(target, client)].flat();
    return `\`\`\`${fence} tab="${tab}"\n${String(text).trim()}\n\`\`\``;
  }).join('\n\n');
}
