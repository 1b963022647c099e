/* Keeps the page for offline use. Files come from the network while there is one, so that a new version needs no build. */

const SHELL = "boardsnap-shell-1";
const SLOW_MS = 3000; // longer than this and the copy is shown: a phone at the edge of the wireless net

const FILES = [
  "/", "/static/manifest.webmanifest", "/static/icon.svg", "/static/i18n/en.json", "/static/i18n/de.json",
  ...["base", "parts", "reading", "table", "print"].map((name) => `/static/css/${name}.css`),
  ...[
    "catalogue", "categories", "closeup", "device_store", "dom", "geometry", "i18n", "icons", "main", "notices", "open_reading", "outlines", "router", "sentences", "service", "sheet", "surface",
    "types", "viewer", "views/art_choice", "views/cards", "views/checks", "views/enrol", "views/final_minute", "views/home", "views/join", "views/kind_picker", "views/options", "views/photo_pane", "views/questions",
    "views/reading", "views/result", "views/score_strip", "views/seat", "views/setup", "views/table", "views/tables", "views/tile", "views/upload",
  ].map((name) => `/static/js/${name}.js`),
];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== location.origin) return;
  // Readings and tables are private and never copied here; the page keeps its last readings itself.
  if (address.pathname.startsWith("/static/")) event.respondWith(fresh(event.request, event.request));
  else if (event.request.mode === "navigate" && /^\/(t\/[^/]+)?$/.test(address.pathname)) event.respondWith(fresh(event.request, "/"));
});

/** The network's answer, else the copy. */
async function fresh(request, copyOf) {
  const cache = await caches.open(SHELL);
  const copy = await cache.match(copyOf);
  const answer = fetch(request).then((found) => {
    if (found.ok) void cache.put(copyOf, found.clone());
    return found;
  });
  if (!copy) return answer;
  answer.catch(() => undefined); // told below; without this a late failure is reported as unhandled
  const slow = new Promise((resolve) => setTimeout(() => resolve(copy), SLOW_MS));
  return Promise.race([answer.catch(() => copy), slow]);
}
