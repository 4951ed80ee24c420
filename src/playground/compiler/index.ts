import { targets } from "../../../targets/index.ts";
import { loadCatalog } from "../../diagnostics/renderers/catalog.ts";
import { programOf } from "../../ir/workflow.ts";
import { loadLanguages } from "../../language.ts";
import { languages } from "../../languages/index.ts";
import { noSettings } from "../../target/contract.ts";
import type { Kind, Request, Results } from "../protocol.ts";
import { compile } from "./compile.ts";
import { createEditing } from "./editing.ts";
import { runAll } from "./scenarios.ts";

/** Computes the results of requests. */
export type Compiler = (request: Request) => Promise<Results[Kind]>;

/** Loads the first view's target and the first example's language, while the page prepares its first request. */
export async function loadFirst(): Promise<void> {
  await Promise.all([languages[0]?.load?.(), targets[0]?.generate(programOf([]), noSettings, () => undefined)]);
}

/** Creates the compiler of a page. */
export function createCompiler(): Compiler {
  const editing = createEditing();
  return async (request) => {
    switch (request.kind) {
      case "compile":
        return compile(request);
      case "scenarios":
        await loadLanguages(languages);
        return runAll(request);
      case "complete":
        await loadLanguages(languages);
        return editing.complete(request);
      case "hover":
        await loadLanguages(languages);
        return editing.hover(request);
      case "explain":
        return (await loadCatalog()).get(request.code)?.page ?? null;
    }
  };
}
