// The service worker of the page: it keeps the files of one version, so that the page opens without a network. Files
// whose names contain their hash come from the cache, others from the network if it can be reached.

// Set by the build.
declare const version: string;
declare const files: readonly string[];

/** The parts of a service worker's scope that are used. */
interface Scope {
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
}

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: globalThis.Request;
  respondWith(response: Promise<Response>): void;
}

const scope: Scope = self as unknown as Scope;
const cacheName = `waybill-playground-${version}`;

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(removeOthers()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) event.respondWith(respond(request));
});

async function install(): Promise<void> {
  await (await caches.open(cacheName)).addAll([...files]);
  await scope.skipWaiting();
}

async function removeOthers(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith("waybill-playground-") && name !== cacheName);
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function respond(request: globalThis.Request): Promise<Response> {
  const cached = async () => (await caches.open(cacheName)).match(request, { ignoreSearch: true });
  const isNamedByContent = /-[A-Z0-9]{8}\.(?:js|css)$/.test(new URL(request.url).pathname);
  if (isNamedByContent) return (await cached()) ?? fetch(request);
  return fetch(request).catch(async (error: unknown) => {
    const kept = await cached();
    if (kept) return kept;
    throw error;
  });
}
