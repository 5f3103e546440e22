/** A house, small enough to stand in the page. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%23176b52' d='M2 7l6-5 6 5v7H2zM6 10h4v4H6z' fill-rule='evenodd'/%3E%3C/svg%3E";

/** The page of the API reference. It loads its program from this server and nothing from elsewhere. */
export function docsPage(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API reference</title>
<link rel="icon" href="${icon}">
<style>body { margin: 0; font-family: system-ui, sans-serif; }</style>
</head>
<body>
<main id="reference"><noscript>This page needs a script from this server. The contract itself is at <a href="/openapi.yaml">/openapi.yaml</a>.</noscript></main>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}
