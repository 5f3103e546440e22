import { writeFileSync } from 'node:fs';
import { findProjectFile } from '../project-file.js';
import { renderEnvExample } from './settings.js';

// `npm run env:example`: writes .env.example from the table of settings.
writeFileSync(findProjectFile('.env.example'), renderEnvExample());
