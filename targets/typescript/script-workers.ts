import type { Json } from "../../src/json.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { runInWorker } from "../../src/worker.ts";
import type { LoadModule } from "./load.ts";

/** The modules of a program that have the functions of definitions, and what stands in their place: these functions run in threads of their own. */
export interface ScriptModules {
  readonly modules: readonly OutputFile[];
  readonly stubs: readonly OutputFile[];
}

/** Finds the modules of a program that have the functions of definitions: their types tell what they export. */
export function findScriptModules(files: readonly OutputFile[]): ScriptModules {
  const typed = files.flatMap(({ path, text }) => {
    const module = files.find((file) => path === file.path.replace(/\.js$/, ".d.ts"));
    return module && /\.functions\.js$/.test(module.path) ? [{ module, types: text }] : [];
  });
  return {
    modules: typed.map(({ module }) => module),
    stubs: typed.map(({ module, types }) => ({ ...module, text: printStub(types) })),
  };
}

/** A module that exports the same functions, which ask what it is connected to. */
function printStub(types: string): string {
  const names = [...types.matchAll(/^export declare const ([^:]+):/gm)].map(([, name]) => name!);
  const functions = names.map((name) => `export const ${name} = (argument) => ask(${JSON.stringify(name)}, argument);`);
  return `let ask;\n${functions.join("\n")}\nexport { connect as "connect to" };\nfunction connect(given) {\n  ask = given;\n}\n`;
}

/** The threads of a program. */
export interface ScriptWorkers {
  close(): void;
}

/** Connects what stands in the place of modules to threads that have the modules themselves. */
export function connectScripts({ modules }: ScriptModules, load: LoadModule): ScriptWorkers {
  const threads = modules.map(({ path, text }) => {
    const thread = runInWorker(text);
    const connect = load(path)["connect to"] as (ask: (name: string, argument: Json) => Json) => void;
    connect((name, argument) => {
      const answer = thread.call(name, argument);
      if ("value" in answer) return answer.value;
      throw Object.assign(new Error(answer.message), { name: answer.name });
    });
    return thread;
  });
  return {
    close() {
      for (const thread of threads) thread.close();
    },
  };
}
