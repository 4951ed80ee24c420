import {
  bind,
  canFail,
  type Expression,
  factsOf,
  literal,
  outputError,
  simplify,
  variable,
} from "../../expressions/index.ts";
import { type CatchRule, type RetryPolicy, sent, type WorkflowStep } from "../../generated/yawl-definition.ts";
import type { Call, Handler, Invoke, Reference, Retry, StepBase } from "../../ir/workflow.ts";
import type { JsonObject } from "../../json.ts";
import {
  declare,
  type Fragment,
  step as makeStep,
  type Reserved,
  reserve,
  reserveAttempt,
  sentOf,
  sequence,
  spanOf,
} from "../shared/index.ts";
import { every } from "./codes.ts";
import type { Writer } from "./context.ts";
import { durationAt, handlersOf, retriesOf } from "./errors.ts";
import type { Work, WorkKind } from "./kinds.ts";
import { outputOver } from "./nested.ts";
import { protocolOf } from "./protocols.ts";
import { endingOf, goOn, type Output, over, settle } from "./scopes.ts";
import { inputOf, overState } from "./steps.ts";
import { jsonAt, type Over, type SecretName, templateError, textAt } from "./templates.ts";

/** The longest time that one attempt at a step takes, in seconds. */
const longestAttempt = 900;

/** A step that works outside of the workflow: what it sends, and what comes of the answer, is tried again and caught as one. */
export function work(writer: Writer, kind: WorkKind, step: Work): Fragment {
  const { context } = writer;
  const policy = step.retryPolicy ?? context.definition.defaultRetryPolicy;
  const rules = step.catch ?? [];
  const secrets: Secrets = new Map();
  const job: Job = {
    kind,
    step,
    secrets,
    make: kind === "workflow" ? invocation(writer, step as WorkflowStep) : functionCalled(writer, kind, step, secrets),
    timeout: durationAt(context, step, "timeout", { most: longestAttempt }) ?? longestAttempt,
    retries: step.retryPolicy ? retriesOf(context, step.retryPolicy) : context.retries,
    output: outputOver(writer, step, declare(writer, answerName)),
  };
  const taken = takenOf(policy, rules);
  const isOne = (taken.any && secrets.size > 0) || (taken.output && mayFail(job.output.value));
  if (isOne) return attempted(writer, job, rules);
  const { reading, reserved } = begun(writer, job);
  const after = over(writer, step, job.output);
  const handlers = handlersOf(writer, rules);
  return sequence(reading, called(reserved, job, { retries: job.retries, handlers }), after);
}

/** What a step does outside of the workflow, and what is made of the answer. */
interface Job {
  readonly kind: WorkKind;
  readonly step: Work;
  readonly secrets: Secrets;
  readonly make: (effect: Effect) => Call | Invoke;
  readonly timeout: number;
  readonly retries: readonly Retry[];
  readonly output: Output;
}

interface Recovery {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
}

/** What a step of the IR has that calls something, whatever that is. */
type Effect = StepBase & Recovery & Pick<Call, "timeout" | "bind" | "next">;

/** The variable for what a step is answered. */
const answerName = "result";

/** The call together with the reading of secrets and the merging of the output, as one that is tried again and caught. */
function attempted(writer: Writer, job: Job, rules: readonly CatchRule[]): Fragment {
  const ending = endingOf(writer, job.step, job.output, true);
  const attempt = reserveAttempt(writer, literal(null), (inner) => {
    const { reading, reserved } = begun(inner, job);
    return sequence(reading, called(reserved, job, { retries: [], handlers: [] }), settle(inner, ending));
  });
  const handlers = handlersOf(writer, rules);
  const onward = goOn(writer, ending);
  return (next) => {
    attempt.fill({ restore: [], retries: job.retries, handlers, next: onward(next) });
    return attempt.step.reference;
  };
}

/** The reading of the secrets that a call sends, and a place for the call. */
function begun(writer: Writer, { secrets, kind }: Job): { readonly reading: Fragment; readonly reserved: Reserved } {
  const reading = sequence(...[...secrets.values()].map((secret) => readSecret(writer, secret)));
  return { reading, reserved: reserve(writer, kind, writer.construct.span) };
}

const called =
  ({ base, reference, fill }: Reserved, { make, timeout }: Job, recovery: Recovery): Fragment =>
  (next) => {
    fill(make({ ...base, timeout, bind: answerName, ...recovery, next }));
    return reference;
  };

/** Whether merging an output may fail: it does not where that is surely an object. */
function mayFail(output: Expression): boolean {
  const given = simplify(output);
  return canFail(given) || factsOf(given).type !== "object";
}

/** Whether anything that a step fails with is tried again or caught by itself, and whether what its output fails with is. */
function takenOf(policy: RetryPolicy | undefined, rules: readonly CatchRule[]) {
  const lists = [...(policy?.retryCount ? [policy] : []), ...rules];
  const any = lists.some(({ errorList, errorListMode }) => errorListMode === "EXCLUDE" || errorList.includes(every));
  const output = lists.some(
    ({ errorList }) => errorList.includes(outputError.name) || errorList.includes(templateError),
  );
  return { any, output: any || output };
}

/** Another workflow: one of the program, or one that exists elsewhere. */
function invocation(writer: Writer, step: WorkflowStep): (effect: Effect) => Invoke {
  const { context } = writer;
  const workflow: Reference = { name: step.workflowId, span: spanOf(context, step, "workflowId") };
  const input = overInput(writer, step, (over) =>
    step.executionInput === undefined ? literal({}) : jsonAt(context, step, "executionInput", over),
  );
  return (effect) => ({ ...effect, kind: "invoke", workflow, input, wait: true, terminates: false });
}

/** The call of a function that is called as the step is. */
function functionCalled(writer: Writer, kind: WorkKind, step: Work, secrets: Secrets): (effect: Effect) => Call {
  const { context, scope, id, construct } = writer;
  const name = scope.plan.entries.get(id)!;
  context.functions.push({ name, type: kind, protocol: protocolOf(kind, step), span: construct.span });
  const secret = (wanted: SecretName): Expression => variable(secretOf(writer, secrets, wanted));
  if (kind === "functionCall") {
    const argument = simplify(inputOf(writer, step, { secret }));
    return (effect) => ({ ...effect, kind: "call", function: { name, span: construct.span }, argument, wait: true });
  }
  const argument = overInput(
    writer,
    step,
    (over) => sentOf(step as unknown as JsonObject, kind, sent, (owner, key) => textAt(context, owner, key, over)),
    secret,
  );
  return (effect) => ({ ...effect, kind: "call", function: { name, span: construct.span }, argument, wait: true });
}

/** What is made over what a step sees, which is computed once. */
function overInput(writer: Writer, step: Work, make: (over: Over) => Expression, secret?: Over["secret"]): Expression {
  const { context, scope } = writer;
  const over: Over = { ...overState(writer), secret };
  if (step.input === undefined) return simplify(make({ ...over, input: variable(scope.state) }));
  const input = jsonAt(context, step, "input", over);
  return simplify(bind("in", input, make({ ...over, input: variable("in"), isObject: false })));
}

/** The secrets that a step reads, by what they are: the variable that each is in. */
type Secrets = Map<string, { readonly variable: string; readonly name: SecretName }>;

function secretOf(writer: Writer, secrets: Secrets, name: SecretName): string {
  const key = JSON.stringify([name.id, name.key, name.version]);
  const known = secrets.get(key);
  if (known) return known.variable;
  const made = writer.scope.frame.names.fresh("secret");
  writer.scope.frame.variables.set(made, undefined);
  secrets.set(key, { variable: made, name });
  return made;
}

/** Reads a secret: its text is in a variable until the step has sent it. */
function readSecret(
  writer: Writer,
  { variable: bind, name }: { readonly variable: string; readonly name: SecretName },
): Fragment {
  const { context, construct } = writer;
  const reader: Reference = { name: lockbox, span: construct.span };
  if (!context.functions.some((each) => each.name === lockbox))
    context.functions.push({ name: lockbox, protocol: { kind: "secret" }, span: construct.span });
  const { id, key, version } = name;
  const argument = literal({ id, key, ...(version === undefined ? {} : { version }) });
  const common = { function: reader, argument, wait: true, retries: [], handlers: [], bind } as const;
  return makeStep(writer, "secret", construct.span, (base, next) => ({ ...base, kind: "call", ...common, next }));
}

/** The built-in function that reads secrets. */
const lockbox = "lockboxPayload";
