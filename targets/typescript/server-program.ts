import { templates } from "../../src/generated/typescript-templates.js";
import { mainWorkflow } from "../../src/ir/order.ts";
import { collectImports, type JsExpression, js, printProgram, renderTemplate } from "../../src/js-ast/index.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { exportedName } from "./emit/module.ts";
import { createProgramNames } from "./emit/names.ts";
import type { Host, Project } from "./host.ts";
import { buildCommand, imageFiles } from "./image.ts";
import { readmeData } from "./readme.ts";

/** What a host adds to a program with a command line and a server. */
export interface ServerProgram {
  /** The module with `openEngine`; absent if the runtime contains it. */
  readonly engineModule?: string;
  /** The folder of the container that keeps the store. */
  readonly volume?: string;
  readonly readme: ServerReadme;
}

/** The host's text in the README. */
export interface ServerReadme {
  /** Where runs are stored and how that is configured: paragraphs, up to the start of a sentence about the program. */
  readonly store: string;
  /** How commands access the store while a server has it open, as the end of a sentence. */
  readonly reading?: string;
  /** How long events are kept that no run can wait for, as sentences. */
  readonly retention: string;
  /** What happens when the store is full, as sentences that end with a space. */
  readonly fullStore?: string;
  /** The volume of containers, from the end of a sentence to the start of the next. */
  readonly volume?: string;
}

/** The `scripts` of package.json for these programs. */
export const serverScripts: Host["scripts"] = { start: "node main.ts serve" };

/** Emits main.ts, the README and the files of the container image. */
export function serverFiles(project: Project, { engineModule, volume, readme }: ServerProgram): readonly OutputFile[] {
  return [
    { path: "main.ts", text: printMain(project, engineModule) },
    { path: "README.md", text: renderReadme(project, readme) },
    ...imageFiles(project.image, volume, project.hasPackages),
  ];
}

/**
 * Modules are imported after the compile cache is enabled, so that it includes them:
 * `const { orders } = await import("./orders.ts");`
 */
function printMain({ program: { workflows }, modules, functions, runtime }: Project, engineModule?: string): string {
  const names = createProgramNames(["process", "import"]);
  const importing = (module: string, wanted: readonly string[]) => {
    const members = wanted.map((key) => ({ key, target: js.name(names.fresh(key)) }));
    const given = js.awaitExpression(js.call(js.name("import"), [js.literal(module)]));
    return {
      statement: js.constant({ kind: "objectPattern", members }, given),
      names: members.map((each) => each.target),
    };
  };
  const own = importing(runtime, engineModule === undefined ? ["main", "openEngine"] : ["main"]);
  const engine = engineModule === undefined ? undefined : importing(engineModule, ["openEngine"]);
  const configured = ["functions", ...(functions.hasSinks ? ["sinks"] : []), ...(functions.hasCodec ? ["codec"] : [])];
  const calls = importing("./functions.ts", configured);
  const configuredAs = (name: string) => calls.names[configured.indexOf(name)];
  const each = workflows.map(({ id }) => importing(`./${modules.get(id)}.ts`, [exportedName(id)]));
  const program = js.record({
    workflows: js.array(each.flatMap((one) => one.names)),
    functions: calls.names[0]!,
    sinks: configuredAs("sinks"),
    codec: configuredAs("codec"),
    open: engine ? engine.names[0]! : own.names[1]!,
    location: js.member(moduleMeta, "url"),
  });
  const run = js.awaitExpression(js.call(own.names[0]!, [program]));
  const moduleApi = js.call(js.member(js.name("process"), "getBuiltinModule"), [js.literal("node:module")]);
  const cache = js.expressionStatement({ ...js.call(js.member(moduleApi, "enableCompileCache")), optional: true });
  const statements = [
    js.comment("Caches compiled code for the next start. NODE_DISABLE_COMPILE_CACHE=1 disables the cache."),
    cache,
    ...[own, ...(engine ? [engine] : []), calls, ...each].map(({ statement }) => statement),
    js.assign(js.member(js.name("process"), "exitCode"), run),
  ];
  const head = js.comment("Runs the workflows. For help, run `node main.ts --help`.");
  return printProgram([head, ...collectImports(statements), ...statements], { types: true });
}

const moduleMeta: JsExpression = js.member(js.name("import"), "meta");

const renderReadme = ({ program, image, runtime }: Project, readme: ServerReadme): string =>
  renderTemplate(templates["README.md"], {
    ...readmeData(program, runtime),
    build: buildCommand(image),
    context: image.context === "." ? [] : [{ folder: image.context }],
    first: quoteShellWord(mainWorkflow(program)?.id ?? "workflow"),
    store: readme.store.trimEnd(),
    reading: readme.reading ?? "",
    retention: readme.retention,
    fullStore: readme.fullStore ?? "",
    volume: readme.volume?.trimEnd() ?? "",
  });

const quoteShellWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replace(/[\p{C}\s]+/gu, " ").replaceAll("'", "'\\''")}'`;
