import { canFail, childrenOf, type Expression, effectsOf, member, simplify } from "../../src/expressions/index.ts";
import { isActivity } from "../../src/ir/callbacks.ts";
import { describeProtocol } from "../../src/ir/protocols.ts";
import { spanOfValue } from "../../src/ir/spans.ts";
import {
  expressionsOf,
  handlersOf,
  innerScopes,
  retriesOf,
  type ScopeNode,
  scopesOf,
  stepsOf,
  successors,
} from "../../src/ir/walk.ts";
import { mostOf } from "../../src/ir/width.ts";
import type { Call, ForEach, Fork, FunctionDefinition, Program, Scope, Step, Workflow } from "../../src/ir/workflow.ts";
import { assertNever, isObject, own } from "../../src/json.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { groupDigits, truncate } from "../../src/text/messages.ts";
import type { Span } from "../../src/text/source.ts";
import { continuationRefusal } from "./continuation.ts";
import * as messages from "./diagnostics/kinds.ts";
import { canRetry, failureLimits } from "./errors.ts";
import { checkEventBuses } from "./event-buses.ts";
import { checkEventEntries } from "./event-entries.ts";
import { checkPartitions } from "./event-groups.ts";
import {
  constantLength,
  distributableLoops,
  maxDistributedConcurrency,
  maxInlineConcurrency,
  toleratesFailures,
} from "./legalize/distribute-loops.ts";
import { hasTimeLimit } from "./legalize/limit-attempts.ts";
import { readsSecrets, secretReferences } from "./legalize/secret-references.ts";
import { isSchedule, scheduleOf } from "./schedules.ts";
import { type AslBindings, checkOwnServices, givesToken, type Service } from "./services.ts";
import { checkSizes } from "./sizes.ts";
import { checkBackoff, checkComputedTimes, checkTime, checkTimeout, maxTimeout } from "./times.ts";

/** Reports all constructs that have no exact form on Step Functions. */
export function checkLimits(program: Program, bound: (workflow: Workflow) => AslBindings, report: Report): void {
  const loops: MapLoop[] = [];
  for (const workflow of program.workflows) {
    const all = scopesOf(workflow);
    const distributed = new Set<Step>([
      ...(bound(workflow).distributes ? distributableLoops(workflow) : []),
      ...stepsOf(workflow).filter(toleratesFailures),
    ]);
    for (const step of all.flatMap(({ scope }) => scope.steps)) {
      const isWritten = workflow.statesAllRetries === true && canRetry(step, workflow);
      if (!isWritten) for (const retry of retriesOf(step)) checkBackoff(retry, report);
      checkStep(step, distributed, report);
      if (step.kind === "foreach")
        loops.push({ step, most: distributed.has(step) ? maxDistributedConcurrency : maxInlineConcurrency });
    }
    checkSizes(workflow, report);
    checkEventEntries(workflow, report);
    const mayContinue = continuationRefusal(workflow, program) === undefined;
    for (const { scope } of all) {
      const isOutermost = scope === workflow.body;
      if (!(isOutermost && mayContinue && bound(workflow).continues))
        checkLoops(scope, isOutermost && mayContinue, report);
    }
    if (!workflow.detailedErrors) checkErrors(all, report);
    checkComputedTimes(workflow, program, report);
    checkOwnServices(workflow, report);
    checkStarts(workflow, bound(workflow).continues, report);
    checkProtocols(workflow, all, bound(workflow), report);
  }
  checkConcurrency(loops, report);
  checkEventBuses(program, bound, report);
  checkPartitions(program.workflows, report);
}

/** Reports timers, and limits of runs that consist of several executions. */
function checkStarts({ start, timeout }: Workflow, continues: boolean, report: Report): void {
  for (const timer of start.timers ?? []) {
    const schedule = scheduleOf(timer);
    if (!isSchedule(schedule)) report(messages.aslInexact(timer.span, schedule));
  }
  if (timeout && continues)
    report(
      messages.aslInexact(timeout.span, {
        construct: "a limit of a run that continues in new executions, each of which has a limit of its own",
        hint: "Remove the setting `continue`.",
      }),
    );
}

/** Reports unsupported calls, and functions that this target cannot reach by their protocol. */
function checkProtocols(workflow: Workflow, all: readonly ScopeNode[], bound: AslBindings, report: Report): void {
  const definitions = new Map(workflow.functions.map((definition) => [definition.name, definition]));
  const elsewhere = new Map<FunctionDefinition, string>();
  for (const step of all.flatMap(({ scope }) => scope.steps)) {
    const definition = step.kind === "call" ? definitions.get(step.function.name) : undefined;
    if (!definition) continue;
    const call = step as Call;
    const service = bound.functions.get(definition.name);
    const unbound = service ? undefined : unboundProtocol(definition);
    const refused =
      unbound ??
      (!service && isActivity(workflow, definition.name)
        ? undefined
        : unsupportedCallback(call, service?.resource ?? definition.resource)) ??
      (readsSecrets(call) ? unsupportedSecrets(call, service) : unsupportedCall(call, definition));
    if (refused) report(messages.aslInexact(refused.span ?? step.span, refused));
    const isKept = call.callback !== undefined;
    const way = service || unbound || isKept ? undefined : describeProtocol(definition.protocol);
    if (way !== undefined) elsewhere.set(definition, way);
  }
  const [first, ...more] = elsewhere.keys();
  if (!first) return;
  const names = [first, ...more].map(({ name }) => name);
  report(messages.aslStandIns(first.span, { names, ways: [...new Set(elsewhere.values())] }));
}

/** `span`: the value at fault; of the whole step by default. */
type UnsupportedConstruct = Parameters<typeof messages.aslInexact>[1] & { readonly span?: Span | undefined };

const secretsUnsupported: UnsupportedConstruct = {
  construct: "a secret in an expression: the history of an execution contains the input and output of every state",
  hint: "Send the secret as a string, or as a part of one: then the machine sends a reference to it.",
};

/** The reason why a call cannot send its secrets as references. Only a Lambda function or an activity resolves them. */
function unsupportedSecrets(call: Call, service: Service | undefined): UnsupportedConstruct | undefined {
  const { secrets = [] } = call;
  if (!secretReferences(call)) {
    const inside = secrets.find((secret) => !secretReferences({ ...call, secrets: [secret] }));
    return { ...secretsUnsupported, span: inside?.span };
  }
  if (service === undefined || service.kind === "lambda" || service.kind === "activity") return undefined;
  return {
    span: secrets[0]?.span,
    construct: "a secret that is sent to a service: the history of an execution contains the input of every state",
    hint: `Bind \`${truncate(call.function.name)}\` to a Lambda function, which resolves references to secrets.`,
  };
}

/** The reason why a call cannot wait for a callback: only some resources get a token. */
function unsupportedCallback(
  { function: { name }, callback }: Call,
  resource: string | undefined,
): UnsupportedConstruct | undefined {
  if (!callback || (resource !== undefined && givesToken(resource))) return undefined;
  return {
    span: callback.span,
    construct: "a callback to a Task that Step Functions gives no token",
    hint: `Bind \`${truncate(name)}\` to an activity, or to an integration that ends with \`.waitForTaskToken\`.`,
  };
}

/** The reason why a call has no exact form, wherever its function is. */
function unsupportedCall({ argument }: Call, { protocol }: FunctionDefinition): UnsupportedConstruct | undefined {
  switch (protocol?.kind) {
    case "secret":
      return secretsUnsupported;
    case "clock":
    case "random":
    case "id":
    case "run":
      return canFail(argument) ? { construct: "a built-in function whose argument may fail" } : undefined;
    case undefined:
    case "http":
    case "grpc":
    case "cloudFunction":
    case "database":
    case "process":
    case "workflow":
    case "activity":
    case "log":
    case "script":
      return undefined;
    default:
      return assertNever(protocol);
  }
}

/** The reason why a function needs a binding, instead of a substitution that the deployment fills in. */
function unboundProtocol({ name, protocol }: FunctionDefinition): UnsupportedConstruct | undefined {
  if (protocol?.kind === "process")
    return {
      construct: "a process, which a state machine cannot run",
      hint: `Bind \`${truncate(name)}\` to a Lambda function that runs it and returns \`code\`, \`stdout\` and \`stderr\`.`,
    };
  if (protocol?.kind === "http" && protocol.authentication)
    return {
      construct: "a request with a token of OAuth 2.0",
      hint: `Bind \`${truncate(name)}\` to a Lambda function that obtains the token.`,
    };
  return undefined;
}

/** Reports an endless loop at the first step without a path to an end. `mayContinue`: in new executions. */
function checkLoops({ steps }: Scope, mayContinue: boolean, report: Report): void {
  const before = new Map<string, string[]>();
  for (const step of steps)
    for (const { name } of successors(step)) before.set(name, [...(before.get(name) ?? []), step.id]);
  const ending = new Set(steps.flatMap(({ kind, id }) => (kind === "end" ? [id] : [])));
  for (const id of ending) for (const earlier of before.get(id) ?? []) ending.add(earlier);
  const endless = steps.find(({ id }) => !ending.has(id));
  if (endless) report(messages.aslEndless(endless.span, { ...endless.origin, mayContinue }));
}

function checkStep(step: Step, distributed: ReadonlySet<Step>, report: Report): void {
  const { name } = step.origin;
  checkTimeout(step, report);
  if (step.kind === "fork") checkFork(step, report);
  if (step.kind === "foreach") checkPace(step, report);
  if (step.kind === "foreach" && distributed.has(step)) checkDistributed(step, report);
  if (hasTimeLimit(step)) {
    const construct = `a time limit for the steps of \`${truncate(name)}\` together, after which what they have computed is read`;
    const hint =
      "Only an error stops them, and it carries nothing of what they have computed; nor does an execution of their own that times out.";
    report(messages.aslInexact(step.span, { construct, hint }));
  }
  if (step.kind === "invoke" && step.whenParentEnds === "terminate")
    report(
      messages.aslInexact(step.span, {
        construct: "a subflow that stops when this workflow ends: executions are not linked",
        hint: "Let it continue, or wait for it in a branch.",
      }),
    );
  if (step.kind === "end" && step.outcome === "fail") checkFailure(step, report);
  if (step.kind === "end" && step.outcome === "fail" && mayBeFatal(step.value))
    report(
      messages.aslInexact(step.span, {
        construct: "an error that no handler may take",
        hint: "A Catch of `States.ALL` takes every error that a state can fail with.",
      }),
    );
}

/** Reports constant names and messages of errors that are too long. */
function checkFailure({ value, span }: Extract<Step, { kind: "end" }>, report: Report): void {
  for (const part of ["name", "message"] as const) {
    const written = simplify(member(value, part));
    if (written.kind !== "literal" || typeof written.value !== "string") continue;
    const { length } = written.value;
    const most = failureLimits[part];
    if (length <= most) continue;
    const construct = `an error whose ${part} has ${groupDigits(length)} characters`;
    const hint = `Step Functions allows ${groupDigits(most)} at most.`;
    report(messages.aslInexact(written.span ?? span, { construct, hint }));
  }
}

/** Reports reads of error data other than a stack trace, which errors of functions on AWS do not have. */
function checkErrors(all: readonly ScopeNode[], report: Report): void {
  const steps = all.flatMap(({ scope }) => scope.steps);
  const bound = new Set(["error", ...steps.flatMap((step) => handlersOf(step).flatMap(({ bind }) => bind ?? []))]);
  for (const step of steps) {
    const parts = expressionsOf(step).flatMap((each) =>
      mentions(each, bound) ? partsOfErrors(each, bound, false) : [],
    );
    const asked = parts.find(({ isShown }) => !isShown);
    if (asked) {
      const construct = `\`${truncate(asked.name)}\` of an error: functions on AWS say nothing of one but its name and its message`;
      report(messages.aslInexact(step.span, { construct }));
    } else if (parts[0]) report(messages.aslWholeError(step.span, { part: parts[0].name }));
  }
}

const mentions = (expression: Expression, names: ReadonlySet<string>): boolean => {
  for (const name of effectsOf(expression).free.keys()) if (names.has(name)) return true;
  return false;
};

/** A member that is read of an error's data. */
interface ErrorPart {
  readonly name: string;
  /** Whether it is part of a copy of the whole error, with its name and message. */
  readonly isShown: boolean;
}

/** The members of error data that an expression reads, except for stack traces. */
function partsOfErrors(expression: Expression, bound: ReadonlySet<string>, isShown: boolean): readonly ErrorPart[] {
  const [first, second] = membersOfError(expression, bound);
  if (first === "data" && second !== undefined && second !== "trace") return [{ name: second, isShown }];
  const children = childrenOf(expression).map((child) => child.expression);
  const shows = expression.kind === "object" ? showsError(expression, bound) : isShown;
  return children.flatMap((child) => partsOfErrors(child, bound, shows));
}

/** Whether an object contains the name and the message of an error, outside of inner objects. */
const showsError = (expression: Expression, bound: ReadonlySet<string>): boolean =>
  ["name", "message"].every((name) => reads(expression, name, bound));

const reads = (expression: Expression, name: string, bound: ReadonlySet<string>): boolean =>
  membersOfError(expression, bound)[0] === name ||
  childrenOf(expression).some(({ expression: child }) => child.kind !== "object" && reads(child, name, bound));

/** The members that a path selects from an error variable; empty for other expressions. */
const membersOfError = (expression: Expression, bound: ReadonlySet<string>): readonly (string | undefined)[] =>
  expression.kind === "query" && expression.source.kind === "variable" && bound.has(expression.source.name)
    ? expression.segments.map(({ selectors: [selector] }) => (selector?.kind === "name" ? selector.name : undefined))
    : [];

/** Whether an error may be one that no retry and no handler matches. */
function mayBeFatal(error: Expression): boolean {
  if (error.kind === "literal") return isObject(error.value) && own(error.value, "fatal") === true;
  return (
    error.kind === "object" &&
    error.entries.some(
      ({ key, value }) =>
        (key.kind !== "literal" || key.value === "fatal") && !(value.kind === "literal" && value.value !== true),
    )
  );
}

function checkFork(step: Fork, report: Report): void {
  if (step.width !== undefined && step.width < step.branches.length)
    report(
      messages.aslInexact(spanOfValue(step, "width"), {
        construct: "branches of which only some run at once",
        hint: "A Parallel state begins all of its branches at once.",
      }),
    );
}

/** Reports loops that Map states run with less concurrency than the definition allows. */
function checkConcurrency(loops: readonly MapLoop[], report: Report): void {
  const wide = loops.filter(({ step, most }) => mayExceed(step, most));
  for (const [most, limited] of Map.groupBy(wide, (loop) => loop.most)) {
    const names = [...new Set(limited.map(({ step }) => step.origin.name))];
    const hint = most === maxInlineConcurrency ? distributedHint : undefined;
    report(messages.aslConcurrency(spanOfValue(limited[0]!.step, "width"), { names, most, hint }));
  }
}

/** A loop, and the concurrency of its Map state. */
interface MapLoop {
  readonly step: ForEach;
  readonly most: number;
}

/** An unlimited loop of a Distributed Map counts as within its limit. */
const mayExceed = ({ width, items }: ForEach, most: number): boolean =>
  (width === undefined && most !== maxInlineConcurrency ? 0 : mostOf(width)) > most &&
  (constantLength(items) ?? Number.POSITIVE_INFINITY) > most;

const distributedHint =
  "The setting `foreach: distributed` makes a loop a Distributed Map unless it is inside another one or spaces its iterations.";

/** Reports constructs that executions of a Distributed Map do not support. */
function checkDistributed(step: ForEach, report: Report): void {
  const { scope, origin } = step;
  const { counted, count, percentage = 100 } = step.tolerates ?? {};
  if (counted !== undefined && (count !== undefined || percentage !== 100))
    report(
      messages.aslInexact(spanOfValue(step, "tolerates"), {
        construct: "failures of iterations that count by their items, in a machine that makes the batches itself",
        hint: "Test it on another target: for deployment, such a state machine is printed as it is.",
      }),
    );
  const iterations = `iterations of \`${truncate(origin.name)}\`, which are executions of their own`;
  const hint = `Where at most ${maxInlineConcurrency} run at once they are parts of the machine.`;
  for (const inner of stepsWithin(scope)) {
    if (inner.kind === "receive")
      report(messages.aslInexact(inner.span, { construct: `waiting for events in ${iterations}`, hint }));
    if (inner.kind === "end" && inner.outcome === "leave" && inner.extent === "run")
      report(messages.aslInexact(inner.span, { construct: `ending the run in ${iterations}`, hint }));
  }
}

const stepsWithin = ({ steps }: Scope): readonly Step[] =>
  steps.flatMap((step) => [step, ...innerScopes(step).flatMap(stepsWithin)]);

function checkPace(step: ForEach, report: Report): void {
  if (step.gap === undefined) return;
  const span = spanOfValue(step, "gap");
  if (step.width !== undefined && mostOf(step.width) > 1) report(messages.aslPace(span, { name: step.origin.name }));
  const what = `the time between iterations of ${step.origin.name}`;
  checkTime({ what, least: 0, most: maxTimeout }, step.gap, span, report);
}
