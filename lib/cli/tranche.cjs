#!/usr/bin/env node
'use strict';
require('../base/require-node.cjs');
import('./main.ts');
