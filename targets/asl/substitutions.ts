import { freshNames, type NameStyle } from "../../src/ir/names.ts";
import { places } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { Program } from "../../src/program.ts";
import { type Bindings, isArn, type Service } from "./bindings.ts";

/** Where functions, subflows and events are found: as the configuration says, or the definition by an ARN; else by a named substitution that the deployment fills in. */
export interface Substitutions {
  /** What a function of a workflow is. */
  serviceOf(workflow: Workflow, name: string): Service;
  /** The `Resource` of the function that computes expressions for a workflow. */
  expressionsOf(workflow: Workflow): string;
  /** The `StateMachineArn` of a workflow. */
  machineOf(id: string): string;
  /** The `Resource` of an action of an AWS service, such as `events:putEvents`. */
  actionOf(action: string): string;
  /** The bus that an event is put on; undefined for the account's own. */
  busOf(event: string): string | undefined;
}

/** The substitutions of a program: `${ChargeCardFunctionArn}`, `${ArchiveStateMachineArn}`; different names get different ones, and none that the configuration has. */
export function substitutionsOf({ workflows }: Program, bindings: Bindings): Substitutions {
  const functions = new Map<string, string>();
  const machines = new Map<string, string>();
  const taken = freshNames(namedIn([...bindings.functions.values(), ...bindings.buses.values()]), style);
  for (const workflow of workflows) {
    for (const { name, resource } of workflow.functions)
      if (!isArn(resource) && !bindings.functions.has(name) && !functions.has(name))
        functions.set(name, taken.fresh(named(name, "Function")));
  }
  const ids = workflows.flatMap((workflow) => [
    workflow.id,
    ...places(workflow).flatMap(({ scope }) =>
      scope.steps.flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : [])),
    ),
  ]);
  for (const id of ids) if (!machines.has(id)) machines.set(id, taken.fresh(named(id, "StateMachine")));
  const expressions = new Map(
    workflows.map(({ id }) => [
      id,
      taken.fresh(named(workflows.length > 1 ? `${id} expressions` : "expressions", "Function")),
    ]),
  );
  return {
    serviceOf(workflow, name) {
      const resource = workflow.functions.find((candidate) => candidate.name === name)?.resource;
      if (isArn(resource)) return { resource };
      return bindings.functions.get(name) ?? { resource: `\${${functions.get(name)}}` };
    },
    expressionsOf: ({ id }) => `\${${expressions.get(id)}}`,
    machineOf: (id) => `\${${machines.get(id)}}`,
    actionOf: (action) => `arn:${bindings.partition}:states:::${action}`,
    busOf: (event) => bindings.buses.get(event),
  };
}

/** The names of the substitutions in what a person wrote, in small letters. */
const namedIn = (written: unknown): readonly string[] =>
  [...JSON.stringify(written).matchAll(/\$\{([A-Za-z0-9]+)\}/g)].map(([, name]) => name!.toLowerCase());

/** A name like `ChargeCardFunctionArn`, with its kind once. */
function named(name: string, kind: "Function" | "StateMachine"): string {
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
  return `${stem}${kind}Arn`;
}

/** What is told apart only by case or signs gets a number: `ChargeCard2FunctionArn`. */
const style: NameStyle = {
  numbered: (wanted, count) => wanted.replace(/(?:Function|StateMachine)Arn$/, `${count}$&`),
  folded: (name) => name.toLowerCase(),
};
