// The report of a fictional property, which the viewer shows where nothing was bought yet.
export { default as sample } from './sample-report.json' with { type: 'json' };
