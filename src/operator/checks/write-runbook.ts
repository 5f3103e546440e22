import { writeFileSync } from 'node:fs';
import { findProjectFile } from '../../project-file.js';
import { renderRunbook } from './checks.js';

// `npm run runbook`: writes docs/runbook.md from the list of checks.
writeFileSync(findProjectFile('docs/runbook.md'), renderRunbook());
