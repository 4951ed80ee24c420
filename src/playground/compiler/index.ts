import { targets } from "../../../targets/index.ts";
import { loadCatalog } from "../../diagnostics/renderers/catalog.ts";
import { programOf } from "../../ir/workflow.ts";
import { loadLanguages } from "../../language.ts";
import { languages } from "../../languages/index.ts";
import { noSettings } from "../../target/contract.ts";
import type { Kind, Request, Results } from "../protocol.ts";
import { compile } from "./compile.ts";
import type { Editing } from "./editing.ts";

/** Computes the results of requests. */
export type Compiler = (request: Request) => Promise<Results[Kind]>;

/** Loads the first view's target and the first example's language, while the page prepares its first request. */
export async function loadFirst(): Promise<void> {
  await Promise.all([languages[0]?.load?.(), targets[0]?.generate(programOf([]), noSettings, () => undefined)]);
}

/** Creates the compiler of a page. What the first result does not need is loaded when it is used. */
export function createCompiler(): Compiler {
  let editing: Editing | undefined;
  const edit = async (): Promise<Editing> => {
    const [{ createEditing }] = await Promise.all([import("./editing.ts"), loadLanguages(languages)]);
    editing ??= createEditing();
    return editing;
  };
  return async (request) => {
    switch (request.kind) {
      case "compile":
        return compile(request);
      case "scenarios":
        await loadLanguages(languages);
        return (await import("./scenarios.ts")).runAll(request);
      case "complete":
        return (await edit()).complete(request);
      case "hover":
        return (await edit()).hover(request);
      case "explain":
        return (await loadCatalog()).get(request.code)?.page ?? null;
    }
  };
}
