import { stringify } from 'csv-stringify/sync';
import type { MediaTypes, OpenapiOperation } from '../openapi-document.ts';
import type { JsonSchema, Schemas } from '../openapi-schema.ts';
import { deriveExample } from './derive.ts';
import { REQUEST_EXAMPLES } from './requests.ts';

/** A row as the file has it: under its header line. */
const csvOf = (row: unknown): string => stringify([row], { header: true, record_delimiter: 'windows' });

/** Lists are named by what they hold: the collection that the path begins with. */
const collectionOf = (path: string): string => /^(?:\/api)?(?:\/admin)?\/([\w-]+)/.exec(path)?.[1] ?? '';

/** The bodies of a request or answer that is written out where it stands, as all of ours are. */
const contentOf = (message: object | undefined): MediaTypes =>
  message !== undefined && 'content' in message ? (message.content as MediaTypes) : {};

/** Writes an example beside every schema of the operation that has none: required parameters, body and success answers. */
export function addExamples(operation: OpenapiOperation, path: string, schemas: Schemas): void {
  const owner = collectionOf(path);
  const derive = (schema: JsonSchema, name = '') => deriveExample(schema, schemas, { name, owner });
  for (const parameter of operation.parameters ?? []) {
    if ('name' in parameter && parameter.required === true && parameter.schema !== undefined) {
      parameter.example ??= derive(parameter.schema, parameter.name);
    }
  }
  const request = REQUEST_EXAMPLES[operation.operationId?.replace(/ByAlias$/, '') ?? ''];
  for (const media of Object.values(contentOf(operation.requestBody))) {
    if (media.schema !== undefined) media.example ??= request ?? derive(media.schema);
  }
  for (const response of Object.values(operation.responses ?? {})) {
    const { 'application/problem+json': _, 'text/csv': csv, ...others } = contentOf(response);
    for (const media of Object.values(others)) {
      if (media.schema !== undefined) media.example ??= derive(media.schema);
    }
    if (csv !== undefined) csv.example ??= csvOf(Object.values(others)[0]?.example);
  }
}
