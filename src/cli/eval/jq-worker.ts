import { parentPort } from "node:worker_threads";

/** What the thread is asked: a program of jq, the text of its input, and jq's flags. */
export interface JqQuestion {
  readonly program: string;
  readonly input: string;
  readonly flags: readonly string[];
}

/** What jq printed; or that the package with jq in it is not installed. */
export type JqAnswer =
  | { readonly version: string; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly missing: string };

parentPort?.on("message", async (question: JqQuestion) => parentPort?.postMessage(await answer(question)));

async function answer({ program, input, flags }: JqQuestion): Promise<JqAnswer> {
  let loaded: typeof import("jq-wasm");
  try {
    loaded = await import("jq-wasm");
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
  const jq = await loaded.loadJq();
  return { version: jq.version, ...jq.raw(input, program, [...flags]) };
}
