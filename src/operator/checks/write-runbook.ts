import { readFileSync, writeFileSync } from 'node:fs';
import { findProjectFile } from '../../project-file.js';
import { renderRunbook } from './checks.js';

// `npm run runbook`: writes the table of docs/runbook.md from the list of checks.
const page = findProjectFile('docs/runbook.md');
writeFileSync(page, renderRunbook(readFileSync(page, 'utf8')));
