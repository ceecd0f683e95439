import { writeFileSync } from 'node:fs';
import { LABELS, readExamples } from './examples.ts';
import { train } from './train.ts';

const FILE = new URL('./weights.json', import.meta.url);

const model = train(readExamples(), LABELS);
writeFileSync(FILE, `${JSON.stringify(model, null, 2)}\n`);
process.stdout.write(`${model.examples} examples, ${model.features.split('\n').length} features: ${FILE.pathname}\n`);
