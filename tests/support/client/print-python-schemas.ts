import { modelSchemas } from './python.ts';

process.stdout.write(modelSchemas());
