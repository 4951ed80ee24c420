import { targets } from "../../../targets/index.ts";
import { loadCatalog } from "../../diagnostics/renderers/catalog.ts";
import { programOf } from "../../ir/workflow.ts";
import { noSettings } from "../../target/contract.ts";
import type { Kind, Request, Results } from "../protocol.ts";
import { compile } from "./compile.ts";
import { createEditing } from "./editing.ts";
import { runAll } from "./scenarios.ts";

/** Computes the results of requests. */
export type Compiler = (request: Request) => Promise<Results[Kind]>;

/** Loads the modules of the first view's target, while the page prepares its first request. */
export async function loadFirstTarget(): Promise<void> {
  await targets[0]?.generate(programOf([]), noSettings, () => undefined);
}

/** Creates the compiler of a page. */
export function createCompiler(): Compiler {
  const editing = createEditing();
  return async (request) => {
    switch (request.kind) {
      case "compile":
        return compile(request);
      case "scenarios":
        return runAll(request);
      case "complete":
        return editing.complete(request);
      case "hover":
        return editing.hover(request);
      case "explain":
        return (await loadCatalog()).get(request.code)?.page ?? null;
    }
  };
}
