import type { NamedExample } from "./examples.ts";
import { startPage } from "./page.ts";
import type { WorkerStart } from "./start.ts";
import { trustedScript } from "./trusted.ts";

// Set by the build.
declare const firstExample: NamedExample;

const { waybillStart } = globalThis as { readonly waybillStart?: WorkerStart };
if (waybillStart) startPage(waybillStart, firstExample);
// After the first visit, the page also opens without a network.
if (navigator.serviceWorker as ServiceWorkerContainer | undefined)
  navigator.serviceWorker.register(trustedScript("offline.js")).catch(() => undefined);
