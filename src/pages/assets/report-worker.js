// Keeps the report viewer at hand without a network: what was fetched last is shown when nothing can be fetched. Only
// the page itself and its assets are kept; no report ever is.

const cache = 'report-viewer';

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isOwn = origin === self.location.origin && (pathname === '/report' || pathname.startsWith('/assets/'));
  if (method === 'GET' && isOwn) event.respondWith(fetchOrKeep(event.request));
});

async function fetchOrKeep(request) {
  const kept = await caches.open(cache);
  try {
    const reply = await fetch(request);
    if (reply.ok) await kept.put(request, reply.clone());
    return reply;
  } catch (error) {
    const last = await kept.match(request, { ignoreVary: true });
    if (last === undefined) throw error;
    return last;
  }
}
