// Shows the page in a dead spot, as offline.ts has kept it. All else that the page asks for passes by.
const PATIENCE_MS = 4_000;
const PAGE = new URL('../fleet', location.href).pathname;

addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === PAGE || pathname.startsWith(`${PAGE}/`)) event.respondWith(answer(event.request));
});

/** Files are named by their content; the page itself may be another one by now. */
async function answer(request) {
  const kept = await caches.match(request, { ignoreSearch: true, ignoreVary: true });
  if (kept === undefined) return fetch(request);
  if (request.mode !== 'navigate') return kept;
  const late = new Promise((_, reject) => setTimeout(reject, PATIENCE_MS));
  return Promise.race([fetch(request), late]).catch(() => kept);
}
