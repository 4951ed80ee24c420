import type { Json } from "../../src/json.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { runInWorker } from "../../src/worker.ts";
import type { LoadModule } from "./load.ts";

/** Modules with functions from definitions, which run in workers, and their stubs. */
export interface ScriptModules {
  readonly modules: readonly OutputFile[];
  readonly stubs: readonly OutputFile[];
}

/** Finds these modules; their declaration files list the exports. */
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

function printStub(types: string): string {
  const names = [...types.matchAll(/^export declare const ([^:]+):/gm)].map(([, name]) => name!);
  const functions = names.map((name) => `export const ${name} = (argument) => ask(${JSON.stringify(name)}, argument);`);
  return `let ask;\n${functions.join("\n")}\nexport { connect as "connect to" };\nfunction connect(given) {\n  ask = given;\n}\n`;
}

/** The workers of a program. */
export interface ScriptWorkers {
  close(): void;
}

/** Connects the stubs to workers. */
export function connectScripts({ modules }: ScriptModules, load: LoadModule): ScriptWorkers {
  const workers = modules.map(({ path, text }) => {
    const worker = runInWorker(text);
    const connect = load(path)["connect to"] as (ask: (name: string, argument: Json) => Json) => void;
    connect((name, argument) => {
      const result = worker.call(name, argument);
      if ("value" in result) return result.value;
      throw Object.assign(new Error(result.message), { name: result.name });
    });
    return worker;
  });
  return {
    close() {
      for (const worker of workers) worker.close();
    },
  };
}
