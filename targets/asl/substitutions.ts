import { places } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { Program } from "../../src/program.ts";

/** Where functions and subflows are found: an ARN as it is, anything else a named substitution that the deployment fills in. */
export interface Substitutions {
  /** The `Resource` of a function of a workflow. */
  resourceOf(workflow: Workflow, name: string): string;
  /** The `Resource` of the function that computes expressions for a workflow. */
  expressionsOf(workflow: Workflow): string;
  /** The `StateMachineArn` of a workflow. */
  machineOf(id: string): string;
}

/** The substitutions of a program: `${ChargeCardFunctionArn}`, `${ArchiveStateMachineArn}`; different names get different ones. */
export function substitutionsOf({ workflows }: Program): Substitutions {
  const functions = new Map<string, string>();
  const machines = new Map<string, string>();
  const taken = new Set<string>();
  for (const workflow of workflows) {
    for (const { name, resource } of workflow.functions)
      if (!isArn(resource) && !functions.has(name)) functions.set(name, fresh(name, "Function", taken));
  }
  const ids = workflows.flatMap((workflow) => [
    workflow.id,
    ...places(workflow).flatMap(({ scope }) =>
      scope.steps.flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : [])),
    ),
  ]);
  for (const id of ids) if (!machines.has(id)) machines.set(id, fresh(id, "StateMachine", taken));
  const expressions = new Map(
    workflows.map(({ id }) => [
      id,
      fresh(workflows.length > 1 ? `${id} expressions` : "expressions", "Function", taken),
    ]),
  );
  return {
    resourceOf(workflow, name) {
      const resource = workflow.functions.find((candidate) => candidate.name === name)?.resource;
      return resource !== undefined && isArn(resource) ? resource : `\${${functions.get(name)}}`;
    },
    expressionsOf: ({ id }) => `\${${expressions.get(id)}}`,
    machineOf: (id) => `\${${machines.get(id)}}`,
  };
}

/** Resources that Step Functions calls by themselves. */
const isArn = (resource: string | undefined): boolean =>
  resource !== undefined && /^arn:aws[\w-]*:(lambda|states):[\w:/.*$-]+$/.test(resource);

/** A name like `ChargeCardFunctionArn`, with its kind once; what is told apart only by case or signs gets a number. */
function fresh(name: string, kind: string, taken: Set<string>): string {
  const words = name
    .normalize("NFKD")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const base =
    words
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join("")
      .slice(0, 100) || "Unnamed";
  const stem = base.endsWith(kind) && base !== kind ? base.slice(0, -kind.length) : base;
  let result = `${stem}${kind}Arn`;
  for (let n = 2; taken.has(result.toLowerCase()); n++) result = `${stem}${n}${kind}Arn`;
  taken.add(result.toLowerCase());
  return result;
}
