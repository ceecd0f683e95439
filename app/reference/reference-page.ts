import type { OpenapiDocument } from '#lib/api/openapi-schema.ts';
import { html, type Markup, prose } from './markup.ts';
import { type Entry, operationMarkup } from './operation.ts';
import { fieldList } from './schema.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const entriesOf = (paths: OpenapiDocument['paths']): Entry[] =>
  Object.entries(paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );

/** The other form of a documented path is named beside it, and not told twice. */
const isAlias = ({ operation }: Entry): boolean => operation.operationId?.endsWith('ByAlias') === true;

function problems(document: OpenapiDocument): Markup[] {
  return Object.entries(document.components?.examples ?? {}).map(([code, example]) => {
    const problem = 'value' in example ? (example.value as { status: number; title: string }) : null;
    return html`<tr><td><code>${code}</code></td><td>${problem?.status ?? ''}</td><td>${problem?.title ?? ''}</td></tr>`;
  });
}

/** The whole reference as one page of HTML, without a script. */
export function referencePage(document: OpenapiDocument): string {
  const schemas = document.components?.schemas ?? {};
  const entries = entriesOf(document.paths);
  const events = Object.entries(document.webhooks ?? {}).flatMap(([type, item]) =>
    'post' in item && item.post !== undefined ? [{ method: 'post', path: type, operation: item.post }] : [],
  );
  const tags = document.tags ?? [];
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title} API reference</title>
<meta name="description" content="Every operation, answer and event of the ${document.info.title} API.">
<link rel="stylesheet" href="/reference/style.css">
</head>
<body>
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<h1>${document.info.title} API reference</h1>
<p>${prose(document.info.description ?? '')}</p>
<p>Version ${document.info.version}. The same as <a href="/api/openapi.json">an OpenAPI document</a>. <a href="/">Back to the start</a></p>
</header>
<nav aria-label="Sections"><ul>
${tags.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
<li><a href="#events">events</a></li>
<li><a href="#credentials">credentials</a></li>
<li><a href="#problems">problems</a></li>
<li><a href="#schemas">schemas</a></li>
</ul></nav>
<main id="operations">
${tags.map(
  ({ name, description }) => html`<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
<p>${prose(description ?? '')}</p>
${entries.filter((entry) => entry.operation.tags?.includes(name) === true && !isAlias(entry)).map((entry) => operationMarkup(entry, schemas))}
</section>`,
)}
<section aria-labelledby="aliases">
<h2 id="aliases">second path forms</h2>
<p>The same resources by a second address.</p>
<ul>${entries.filter(isAlias).map(({ method, path, operation }) => html`<li id="${operation.operationId ?? ''}"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> is <a href="#${operation.operationId?.replace(/ByAlias$/, '') ?? ''}">${operation.operationId?.replace(/ByAlias$/, '') ?? ''}</a></li>`)}</ul>
</section>
<section aria-labelledby="events">
<h2 id="events">events</h2>
<p>Sent to your webhooks, signed.</p>
${events.map((entry) => operationMarkup(entry, schemas))}
</section>
<section aria-labelledby="credentials">
<h2 id="credentials">credentials</h2>
<dl>${schemes.map(([name, scheme]) => html`<dt><code>${name}</code></dt><dd>${'description' in scheme ? (scheme.description ?? '') : ''}</dd>`)}</dl>
</section>
<section aria-labelledby="problems">
<h2 id="problems">problems</h2>
<p>Errors are <code>application/problem+json</code>; <code>code</code> is one of these.</p>
<table><thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">title</th></tr></thead><tbody>${problems(document)}</tbody></table>
</section>
<section aria-labelledby="schemas">
<h2 id="schemas">schemas</h2>
${Object.entries(schemas).map(([name, schema]) => html`<details class="operation" id="schema-${name}"><summary><code>${name}</code></summary>${fieldList(schema, schemas)}</details>`)}
</section>
</main>
</body>
</html>
`;
  return page.text;
}
