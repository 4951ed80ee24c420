import { compileWith } from "../../../../src/compile.ts";
import { readConfiguration } from "../../../../src/configuration/index.ts";
import * as bindings from "../../../../src/generated/openwhisk-bindings.js";
import * as settings from "../../../../src/generated/openwhisk-settings.js";
import type { Workflow } from "../../../../src/ir/workflow.ts";
import type { OutputFile, Target } from "../../../../src/target/contract.ts";
import type { Diagnostic } from "../../../../src/text/diagnostics.ts";
import { positionOf } from "../../../../src/text/source.ts";
import type { Composition } from "../../../../targets/openwhisk/composition.ts";
import { type Deployment, deploymentOf, projectFiles } from "../../../../targets/openwhisk/deploy/index.ts";
import { languages } from "../../../languages.ts";

/** The generated files and the diagnostics. */
export interface DeployedFiles {
  readonly files: ReadonlyMap<string, string>;
  /** Diagnostics with line and column, without hints. */
  readonly reported: readonly string[];
}

/** Generates the deployment of definitions whose compositions are given. */
export async function deployDefinitions(
  definitions: readonly string[],
  configuration: string,
  composed: (workflow: Workflow, deployment: Deployment) => Composition,
): Promise<DeployedFiles> {
  const target: Target<readonly OutputFile[]> = {
    name: "openwhisk",
    summary: "",
    bindings,
    bindsReceivedEvents: true,
    settings,
    generate(program, given, report) {
      const deployment = deploymentOf(program, given, report);
      const flows = program.workflows.map((workflow, i) => ({
        workflow,
        name: `flow${i}`,
        composition: composed(workflow, deployment),
        subscription: { definitions: {}, start: workflow.start.on && { on: [] } },
      }));
      return projectFiles(flows, deployment, report);
    },
    emit: (made) => made,
  };
  const found: Diagnostic[] = [];
  const source = { path: "waybill.config.yaml", text: configuration };
  const read = readConfiguration(source, languages, [target], (diagnostic) => void found.push(diagnostic));
  const sources = definitions.map((text, i) => ({ path: `${i}.yaml`, text }));
  const { files, diagnostics } = await compileWith(
    { sources, options: {}, configurationOf: () => read },
    languages,
    target,
  );
  const reported = [...found, ...diagnostics].map(({ code, message, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    return `${span.source.path}:${line}:${column} ${code} ${message}`;
  });
  return { files: new Map(files.map(({ path, text }) => [path, text])), reported };
}

/** A composition that calls actions in sequence. */
export function calls(...actions: readonly string[]): Composition {
  const states = actions.map((Action, i) => {
    return [`s${i}`, { Type: "Task", Action, Next: i + 1 < actions.length ? `s${i + 1}` : "end" }] as const;
  });
  return { Entry: "s0", Exit: "end", States: { ...Object.fromEntries(states), end: { Type: "Pass" } } };
}
