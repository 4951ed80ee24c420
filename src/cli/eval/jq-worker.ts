import { parentPort } from "node:worker_threads";

/** A jq program, its input as JSON, and flags. */
export interface JqRequest {
  readonly program: string;
  readonly input: string;
  readonly flags: readonly string[];
}

/** The output of jq, or why its package cannot be loaded. */
export type JqResponse =
  | { readonly version: string; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly missing: string };

parentPort?.on("message", async (question: JqRequest) => parentPort?.postMessage(await handleRequest(question)));

async function handleRequest({ program, input, flags }: JqRequest): Promise<JqResponse> {
  let loaded: typeof import("jq-wasm");
  try {
    loaded = await import("jq-wasm");
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
  const jq = await loaded.loadJq();
  return { version: jq.version, ...jq.raw(input, program, [...flags]) };
}
