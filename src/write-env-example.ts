import { writeFileSync } from 'node:fs';
import { findProjectFile } from './project-file.js';
import { renderEnvExample } from './settings.js';

// `npm run env:example`: writes the table of settings into .env.example.
writeFileSync(findProjectFile('.env.example'), renderEnvExample());
