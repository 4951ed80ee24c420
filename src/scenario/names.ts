import {
  missingScenarioKey,
  mistimedFiring,
  unawaitedHeartbeats,
  unknownSubflow,
  unknownTimer,
  unusedFunctionResult,
  unusedSecret,
} from "../diagnostics/scenario.ts";
import { simplify } from "../expressions/index.ts";
import { awaitsCallback } from "../ir/callbacks.ts";
import { firingFrom } from "../ir/firing-times.ts";
import { isExternal } from "../ir/protocols.ts";
import { printTimer } from "../ir/timers.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Program, Workflow } from "../ir/workflow.ts";
import { assertNever, isObject, own } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Named, Scenario } from "./model.ts";

/**
 * Checks the names in a scenario: those that the program lacks, and timers that it lacks and secrets that it
 * reads and the scenario omits.
 */
export function checkNames(
  scenario: Scenario,
  program: Program,
): { readonly unknown: readonly Diagnostic[]; readonly missing: readonly Diagnostic[] } {
  const secrets = secretsOf(program);
  return {
    unknown: unknownNames(scenario, program, secrets),
    missing: [...missingTimers(scenario, program), ...missingSecrets(scenario, secrets)],
  };
}

/** Whether a scenario fires timers that its workflow does not have. */
export const hasUnknownTimers = (scenario: Scenario, program: Program): boolean =>
  missingTimers(scenario, program).length > 0;

/** The firings at instants at which the timers do not fire. */
export function mistimedFirings({ fires, clock }: Scenario, { workflows: [workflow] }: Program): readonly Diagnostic[] {
  return fires.flatMap(({ timer: index, at, span }) => {
    const timer = workflow?.start.timers?.[index];
    const instant = clock + at * 1000;
    const next = timer && firingFrom(timer, instant);
    if (!timer || next === undefined || next === instant) return [];
    const facts = { timer: printTimer(timer), at: textOf(instant), next: next === null ? undefined : textOf(next) };
    return [mistimedFiring(span, facts)];
  });
}

const textOf = (instant: number): string => new Date(instant).toISOString().replace(".000Z", "Z");

/** The firings of timers that the scenario's workflow does not have. */
function missingTimers({ fires }: Scenario, { workflows: [workflow] }: Program): readonly Diagnostic[] {
  const count = workflow?.start.timers?.length ?? 0;
  return fires
    .filter(({ timer }) => timer >= count)
    .map(({ timer, span }) => unknownTimer(span, { workflow: workflow?.id ?? "", timer, count }));
}

/** The names in a scenario that the program lacks, with suggestions. */
function unknownNames(
  { functions, named }: Scenario,
  { workflows, byId }: Program,
  secrets: SecretsRead,
): readonly Diagnostic[] {
  const external = workflows
    .flatMap(stepsOf)
    .flatMap((step) => (step.kind === "invoke" && !byId.has(step.workflow.name) ? [step.workflow.name] : []));
  const asked = workflows.flatMap((workflow) => workflow.functions.filter(({ protocol }) => isExternal(protocol)));
  const kinds = asked.flatMap(({ stepKind }) => stepKind ?? []);
  const known = new Set([...asked.map(({ name }) => name), ...kinds, ...external]);
  const awaited = new Set(
    workflows.flatMap(stepsOf).flatMap((step) => (awaitsCallback(step) ? [step.function.name] : [])),
  );
  const beating = [...functions]
    .filter(([name]) => known.has(name) && !awaited.has(name))
    .flatMap(([name, { list }]) =>
      list.flatMap(({ heartbeatSpan: span }) => (span ? [unawaitedHeartbeats(span, { name })] : [])),
    );
  const answers = [...functions].map(([name, { span }]): Named => ({ kind: "function", name, span }));
  const unknown = [...answers, ...named].flatMap((given) => {
    switch (given.kind) {
      case "function":
        return known.has(given.name) ? [] : [unusedFunctionResult(given.span, { name: given.name, known: [...known] })];
      case "subflow":
        return byId.has(given.name) ? [] : [unknownSubflow(given.span, { name: given.name, known: [...byId.keys()] })];
      case "secret":
        return secrets.areAll && !secrets.named.some(([id, key]) => id === given.id && key === given.key)
          ? [unusedSecret(given.span, { id: given.id, key: given.key })]
          : [];
      default:
        return assertNever(given);
    }
  });
  return [...beating, ...unknown];
}

/** The secrets that the program reads by literal names and the scenario omits. */
function missingSecrets({ secrets, span }: Scenario, { named }: SecretsRead): readonly Diagnostic[] {
  return named.flatMap(([id, key]) =>
    secrets.get(id)?.has(key)
      ? []
      : [missingScenarioKey(span, { name: secrets.has(id) ? key : id, owner: "`secrets`", hint: secretHint(id, key) })],
  );
}

const secretHint = (id: string, key: string): string =>
  `The workflow reads it: write \`secrets: ${JSON.stringify({ [id]: { [key]: "…" } })}\`, or null where there is none.`;

/** The distinct secrets that a program reads by literal names; `areAll` if it computes no names. */
interface SecretsRead {
  readonly named: readonly SecretName[];
  readonly areAll: boolean;
}

type SecretName = readonly [id: string, key: string];

function secretsOf({ workflows }: Program): SecretsRead {
  const read = workflows.flatMap(secretsIn);
  const named = new Map(read.flatMap((names) => (names ? [[JSON.stringify(names), names] as const] : [])));
  return { named: [...named.values()], areAll: !read.includes(undefined) };
}

/** The secrets that a workflow reads; undefined for a computed name. */
function secretsIn(workflow: Workflow): readonly (SecretName | undefined)[] {
  const readers = new Set(
    workflow.functions.flatMap(({ name, protocol }) => (protocol?.kind === "secret" ? [name] : [])),
  );
  return stepsOf(workflow).flatMap((step) => {
    if (step.kind !== "call") return [];
    if (step.secrets) return step.secrets.map(({ id, key }) => [id, key] as const);
    if (!readers.has(step.function.name)) return [];
    const argument = simplify(step.argument);
    const value = argument.kind === "literal" ? argument.value : undefined;
    const [id, key] = ["id", "key"].map((name) => (isObject(value) ? own(value, name) : undefined));
    return [typeof id === "string" && typeof key === "string" ? ([id, key] as const) : undefined];
  });
}
