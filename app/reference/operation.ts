import type { MediaTypes, OpenapiOperation } from '#lib/api/openapi-schema.ts';
import { componentName, type Schemas } from '#lib/api/openapi-schema.ts';
import { html, type Markup, prose } from './markup.ts';
import { fieldItem, fieldList, typeText } from './schema.ts';

/** Where an operation stands in the document. */
export interface Entry {
  method: string;
  path: string;
  operation: OpenapiOperation;
}

const contentOf = (message: object | undefined): [string, MediaTypes[string]][] =>
  message !== undefined && 'content' in message ? Object.entries(message.content as MediaTypes) : [];

function exampleBlock(example: unknown): Markup | null {
  if (example === undefined) return null;
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<details><summary>Example</summary><pre tabindex="0">${text}</pre></details>`;
}

function body([mediaType, { schema, example }]: [string, MediaTypes[string]], schemas: Schemas): Markup {
  const shown = schema === undefined ? null : html`${typeText(schema, schemas)}`;
  const fields = schema === undefined || componentName(schema) !== null ? null : fieldList(schema, schemas);
  return html`<p><code>${mediaType}</code>${fields === null ? html`: ${shown}` : null}</p>${fields}${exampleBlock(example)}`;
}

function parameters(operation: OpenapiOperation, schemas: Schemas): Markup | null {
  const items = (operation.parameters ?? []).flatMap((one) => {
    if (!('name' in one) || one.schema === undefined) return [];
    const name = one.in === 'path' ? `{${one.name}}` : one.in === 'query' ? `?${one.name}` : one.name;
    return [fieldItem(name, one.schema, one.required === true, schemas)];
  });
  return items.length === 0 ? null : html`<h4>Parameters</h4><ul class="fields">${items}</ul>`;
}

function answers(operation: OpenapiOperation, schemas: Schemas): Markup[] {
  return Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const described = 'description' in response ? (response.description ?? '') : '';
    const forms = contentOf(response).filter(([mediaType]) => mediaType !== 'application/problem+json');
    return html`<dt><code>${status}</code></dt><dd>${prose(described)}${forms.map((form) => body(form, schemas))}</dd>`;
  });
}

/** A credential by its scheme, and what it must be allowed. */
function access(operation: OpenapiOperation): string {
  const kinds = (operation.security ?? []).map((requirement) =>
    Object.entries(requirement)
      .map(([scheme, scopes]) => [scheme, ...scopes].join(' '))
      .join(' and '),
  );
  return kinds.map((kind) => (kind === '' ? 'no credential' : kind)).join(', or ');
}

/** One operation, closed until it is asked for: browsers search closed parts too, and open what they find. */
export function operationMarkup({ method, path, operation }: Entry, schemas: Schemas): Markup {
  const forms = contentOf(operation.requestBody);
  return html`<details class="operation" id="${operation.operationId ?? ''}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span class="summary">${prose(operation.summary ?? '')}</span></summary>
<p class="facts">Operation <code>${operation.operationId ?? ''}</code>. Takes ${access(operation)}.</p>
${operation.description === undefined ? null : html`<p>${prose(operation.description)}</p>`}
${parameters(operation, schemas)}
${forms.length === 0 ? null : html`<h4>Body</h4>${forms.map((form) => body(form, schemas))}`}
<h4>Answers</h4><dl>${answers(operation, schemas)}</dl>
</details>`;
}
