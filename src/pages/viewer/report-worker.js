// Lets the report viewer open offline: when the network fails, it serves the last fetched page and assets. It never
// caches a report.

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
