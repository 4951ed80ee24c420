import { existsSync, readdirSync } from "node:fs";
import type { LogEntry } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";

/**
 * Loads the workflows in the folder `previous` next to a program: earlier versions for existing runs, as `waybill
 * compile` keeps them, each in a folder with its imports. They use this runtime. A version that cannot be loaded is
 * logged, and its runs are stranded; so are all of them where modules have no hooks, as in Bun.
 */
export async function previousWorkflows(
  location: string,
  log: (entry: LogEntry) => void,
): Promise<readonly AnyWorkflow[]> {
  const folder = new URL("previous/", location);
  if (!existsSync(folder)) return [];
  const { registerHooks } = process.getBuiltinModule("node:module") as Partial<typeof import("node:module")>;
  if (!registerHooks) {
    const message = "Earlier versions of workflows need module hooks, which only Node.js and Deno have.";
    log({ level: "error", message });
    return [];
  }
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const isPrevious = context.parentURL?.startsWith(folder.href) ?? false;
      return next(isPrevious && isRuntime.test(specifier) ? import.meta.url : specifier, context);
    },
  });
  try {
    const load = (file: string): Promise<object> =>
      import(new URL(file, folder).href).catch((reason: unknown) => {
        const message = "A module in the folder previous cannot be loaded. Runs that need it are stranded.";
        log({ level: "error", message, file, reason: reason instanceof Error ? reason.message : String(reason) });
        return {};
      });
    const modules = await Promise.all(filesIn(folder).map(load));
    return modules.flatMap((module) => Object.values(module)).filter(isWorkflow);
  } finally {
    hooks.deregister();
  }
}

/** The specifiers of the runtime in modules of programs, now and in earlier releases. */
const isRuntime = /^(?:\.\.?\/)+runtime(?:\.js|\/.*\.ts)$|^waybill-runtime$/;

/** The modules of workflows and their imports, by name; not the program, its functions, the runtime and packages. */
function filesIn(folder: URL): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const others = /(?:^|\/)(?:runtime|node_modules|functions)\/|(?:^|\/)(?:main|functions)\.ts$|\.d\.ts$/;
  return names.filter((name) => name.endsWith(".ts") && !others.test(name)).sort();
}

function isWorkflow(value: unknown): value is AnyWorkflow {
  if (typeof value !== "object" || value === null || !("run" in value) || typeof value.run !== "function") return false;
  return "id" in value && typeof value.id === "string" && "version" in value && typeof value.version === "string";
}
