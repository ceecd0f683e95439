import { foldRest } from './openapi.ts';
import { writePrepared } from './openapi-forms.ts';

/** The build runs this in a process of its own (next.config.ts): its configuration loads no contract. */
await writePrepared(foldRest());
