// Starts the worker while the rest of the page is loaded: its script comes before the larger one of `main.ts`.

// Set by the build.
declare const workerUrl: string;

const scope = globalThis as { waybillStart?: WorkerStart; trustedTypes?: TrustedTypes };

/** The started worker, and when it was started. */
export interface WorkerStart {
  readonly url: string;
  readonly worker: Worker;
  readonly at: number;
}

/** The part of the Trusted Types API that is used. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const rules = { createScriptURL: (url: string) => url };
const policy = scope.trustedTypes?.createPolicy("waybill-start", rules) ?? rules;
const at = performance.now();
scope.waybillStart = { url: workerUrl, worker: new Worker(policy.createScriptURL(workerUrl), { type: "module" }), at };
