import { $, defineConfig, definePluginConfig, type DefinePlugin } from '@hey-api/openapi-ts';

/**
 * Emits `generated/operations.gen.ts`: from each operationId to its parameters, replies and errors. The server derives
 * its handler types from this map, so that a missing handler or an undeclared status does not compile.
 */
type OperationsPlugin = DefinePlugin<{ name: 'operations' }>;

const operations = definePluginConfig<OperationsPlugin['Types']>({
  name: 'operations',
  config: { includeInEntry: false },
  dependencies: ['@hey-api/typescript'],
  handler: ({ plugin }) => {
    const map = $.type.object();
    plugin.forEach(
      'operation',
      ({ operation }) => {
        const entry = $.type.object();
        for (const role of ['data', 'responses', 'errors']) {
          const symbol = plugin.querySymbol({
            category: 'type',
            resource: 'operation',
            resourceId: operation.id,
            role,
            tool: 'typescript',
          });
          entry.prop(role, (property) => property.type(symbol ? $.type(symbol) : $.type('never')));
        }
        map.prop(operation.operationId ?? operation.id, (property) => property.type(entry));
      },
      { order: 'declarations' },
    );
    plugin.node($.type.alias(plugin.symbol('Operations')).export().type(map));
  },
});

export default defineConfig({
  input: './openapi.yaml',
  output: { path: './generated', clean: true, importFileExtension: '.js' },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch', operations()],
});
