import { writeFileSync } from 'node:fs';
import { findProjectFile } from '../project-file.js';
import { renderSettingsPage } from './settings.js';

// `npm run settings`: writes docs/settings.md from the table of settings.
writeFileSync(findProjectFile('docs/settings.md'), renderSettingsPage());
