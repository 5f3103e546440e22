import { operationPaths, type OperationId } from './operation-paths.js';

/** The operation of the contract at a path, ignoring its query; undefined when there is none. */
export function findOperation(path: string): OperationId | undefined {
  const [bare = ''] = path.split(/[?#]/);
  return patterns.find(([, pattern]) => pattern.test(bare))?.[0];
}

const patterns = Object.entries(operationPaths).map(([id, template]) => {
  const source = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '[^/]+');
  return [id as OperationId, new RegExp(`^${source}$`)] as const;
});
