import { existsSync, readdirSync } from "node:fs";
import { registerHooks } from "node:module";
import type { LogEntry } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";

/**
 * The workflows in the folder `previous` beside a program: earlier versions, for the runs that began with them, as `waybill compile` keeps them, each with
 * what it imports in a folder of its own. The runtime that they import is this one. One that cannot be loaded is told, and all others go on.
 */
export async function previousWorkflows(
  location: string,
  log: (entry: LogEntry) => void,
): Promise<readonly AnyWorkflow[]> {
  const folder = new URL("previous/", location);
  if (!existsSync(folder)) return [];
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const isPrevious = context.parentURL?.startsWith(folder.href) ?? false;
      return next(isPrevious && isRuntime.test(specifier) ? import.meta.url : specifier, context);
    },
  });
  try {
    const load = (file: string): Promise<object> =>
      import(new URL(file, folder).href).catch((reason: unknown) => {
        const message = "A module in the folder previous cannot be loaded: runs that need it are stranded.";
        log({ level: "error", message, file, reason: reason instanceof Error ? reason.message : String(reason) });
        return {};
      });
    const modules = await Promise.all(filesIn(folder).map(load));
    return modules.flatMap((module) => Object.values(module)).filter(isWorkflow);
  } finally {
    hooks.deregister();
  }
}

/** What modules of programs have the runtime from, or have had. */
const isRuntime = /^(?:\.\.?\/)+runtime(?:\.js|\/.*\.ts)$|^waybill-runtime$/;

/** The modules, in the order of their names; without what is no workflow's: the program itself, its functions, the runtime, what modules import. */
function filesIn(folder: URL): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const others = /(?:^|\/)(?:runtime|node_modules|functions)\/|(?:^|\/)(?:main|functions)\.ts$|\.d\.ts$/;
  return names.filter((name) => name.endsWith(".ts") && !others.test(name)).sort();
}

function isWorkflow(value: unknown): value is AnyWorkflow {
  if (typeof value !== "object" || value === null || !("run" in value) || typeof value.run !== "function") return false;
  return "id" in value && typeof value.id === "string" && "version" in value && typeof value.version === "string";
}
