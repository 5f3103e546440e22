/** The page of the API reference. It loads its program from this server and nothing from elsewhere. */
export function docsPage(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API reference</title>
<style>body { margin: 0; font-family: system-ui, sans-serif; }</style>
</head>
<body>
<main id="reference"><noscript>This page needs a script from this server. The contract itself is at <a href="/openapi.yaml">/openapi.yaml</a>.</noscript></main>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}
