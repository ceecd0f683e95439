'use strict';
// Ends the process in one line under a Node.js that is older than `engines.node` of package.json says. Plain JavaScript and
// a side effect of loading it: it runs before the TypeScript that an old Node.js cannot even read.
const { engines } = require('../../package.json');

const required = /\d+\.\d+\.\d+/.exec(engines.node)[0];
const running = process.versions.node;

/** Numbers that compare part by part. */
const partsOf = (version) => version.split('.').map((part) => Number.parseInt(part, 10));

const [major, minor] = partsOf(running);
const [requiredMajor, requiredMinor] = partsOf(required);
if (major < requiredMajor || (major === requiredMajor && minor < requiredMinor)) {
  process.stderr.write(
    `Tranche needs Node.js ${required} or later, and this is ${running}. Install a newer one, or use the one that \`npm ci\` (with development dependencies) brings: node_modules/.bin/node.\n`,
  );
  process.exit(1);
}
