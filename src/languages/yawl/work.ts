import {
  bind,
  canFail,
  type Expression,
  factsOf,
  leastSize,
  literal,
  outputError,
  simplify,
  variable,
} from "../../expressions/index.ts";
import { type CatchRule, type RetryPolicy, sent, type WorkflowStep } from "../../generated/yawl-definition.ts";
import type { Call, Handler, Invoke, Reference, Retry, SecretRead, StepBase } from "../../ir/workflow.ts";
import type { JsonObject } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import {
  declare,
  type Fragment,
  type Reserved,
  reserve,
  reserveAttempt,
  sentOf,
  sequence,
  spanOf,
} from "../shared/index.ts";
import { every } from "./codes.ts";
import type { Context, Writer } from "./context.ts";
import { sentTooMuch } from "./diagnostics/kinds.ts";
import { durationAt, handlersOf, retriesOf } from "./errors.ts";
import type { Work, WorkKind } from "./kinds.ts";
import { outputOver } from "./nested.ts";
import { protocolOf } from "./protocols.ts";
import { endingOf, goOn, type Output, over, settle } from "./scopes.ts";
import { inputOf, overState } from "./steps.ts";
import { jsonAt, type Over, type SecretName, templateError, textAt } from "./templates.ts";

/** The longest time that one attempt at a step takes, in seconds. */
const longestAttempt = 900;

/** The most bytes that a step sends, as JSON. */
const mostSent = 2 * 1024 * 1024;

/** A step that works outside of the workflow: what it sends, and what comes of the answer, is tried again and caught as one. */
export function work(writer: Writer, kind: WorkKind, step: Work): Fragment {
  const { context } = writer;
  const policy = step.retryPolicy ?? context.definition.defaultRetryPolicy;
  const rules = step.catch ?? [];
  const job: Job = {
    kind,
    step,
    make: kind === "workflow" ? invocation(writer, step as WorkflowStep) : functionCalled(writer, kind, step),
    timeout: durationAt(context, step, "timeout", { most: longestAttempt }) ?? longestAttempt,
    retries: step.retryPolicy ? retriesOf(context, step.retryPolicy) : context.retries,
    output: outputOver(writer, step, declare(writer, answerName)),
  };
  if (takesOutputErrors(policy, rules) && mayFail(job.output.value)) return attempted(writer, job, rules);
  const reserved = reserve(writer, kind, writer.construct.span);
  const after = over(writer, step, job.output);
  const handlers = handlersOf(writer, rules);
  return sequence(called(reserved, job, { retries: job.retries, handlers }), after);
}

/** What a step does outside of the workflow, and what is made of the answer. */
interface Job {
  readonly kind: WorkKind;
  readonly step: Work;
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

/** The call together with the merging of the output, as one that is tried again and caught. */
function attempted(writer: Writer, job: Job, rules: readonly CatchRule[]): Fragment {
  const ending = endingOf(writer, job.step, job.output, true);
  const attempt = reserveAttempt(writer, literal(null), (inner) => {
    const reserved = reserve(inner, job.kind, inner.construct.span);
    return sequence(called(reserved, job, { retries: [], handlers: [] }), settle(inner, ending));
  });
  const handlers = handlersOf(writer, rules);
  const onward = goOn(writer, ending);
  return (next) => {
    attempt.fill({ restore: [], retries: job.retries, handlers, next: onward(next) });
    return attempt.step.reference;
  };
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

/** Whether what the output of a step fails with is tried again or caught by the step itself. */
const takesOutputErrors = (policy: RetryPolicy | undefined, rules: readonly CatchRule[]): boolean =>
  [...(policy?.retryCount ? [policy] : []), ...rules].some(
    ({ errorList, errorListMode }) =>
      errorListMode === "EXCLUDE" || [every, outputError.name, templateError].some((code) => errorList.includes(code)),
  );

/** Another workflow: one of the program, or one that exists elsewhere. */
function invocation(writer: Writer, step: WorkflowStep): (effect: Effect) => Invoke {
  const { context } = writer;
  const workflow: Reference = { name: step.workflowId, span: spanOf(context, step, "workflowId") };
  const input = overInput(writer, step, (over) =>
    step.executionInput === undefined ? literal({}) : jsonAt(context, step, "executionInput", over),
  );
  checkSize(writer, input);
  return (effect) => ({ ...effect, kind: "invoke", workflow, input, wait: true, terminates: false });
}

/** The call of a function that is called as the step is. */
function functionCalled(writer: Writer, kind: WorkKind, step: Work): (effect: Effect) => Call {
  const { context, scope, id, construct } = writer;
  const name = scope.plan.entries.get(id)!;
  context.functions.push({ name, type: kind, protocol: protocolOf(kind, step), span: construct.span });
  const read = new Map<string, SecretRead>();
  const secret = (wanted: SecretName): Expression => variable(secretOf(context, read, wanted, construct.span).bind);
  const argument =
    kind === "functionCall"
      ? simplify(inputOf(writer, step, { secret }))
      : overInput(
          writer,
          step,
          (over) =>
            sentOf(step as unknown as JsonObject, kind, sent, (owner, key) => textAt(context, owner, key, over)),
          secret,
        );
  checkSize(writer, argument);
  const called = { function: { name, span: construct.span }, argument, wait: true } as const;
  const secrets = [...read.values()];
  return (effect) => ({ ...effect, kind: "call", ...called, ...(secrets.length > 0 ? { secrets } : {}) });
}

/** What is made over what a step sees, which is computed once. */
function overInput(writer: Writer, step: Work, make: (over: Over) => Expression, secret?: Over["secret"]): Expression {
  const { context, scope } = writer;
  const over: Over = { ...overState(writer), secret };
  if (step.input === undefined) return simplify(make({ ...over, input: variable(scope.state) }));
  const input = jsonAt(context, step, "input", over);
  return simplify(bind("in", input, make({ ...over, input: variable("in"), isObject: false })));
}

function checkSize({ context, construct }: Writer, sent: Expression): void {
  const bytes = leastSize(sent);
  if (bytes > mostSent) context.report(sentTooMuch(construct.span, { bytes, most: mostSent }));
}

/** A secret that a step sends: one of the same name is read once. */
function secretOf(context: Context, known: Map<string, SecretRead>, name: SecretName, span: Span): SecretRead {
  const key = JSON.stringify([name.id, name.key, name.version]);
  const bind = known.size === 0 ? "secret" : `secret${known.size + 1}`;
  const read = known.get(key) ?? { bind, reader: readerOf(context, span), ...name };
  known.set(key, read);
  return read;
}

/** The built-in function that reads secrets. */
function readerOf({ functions, ids }: Context, span: Span): Reference {
  const known = functions.find(({ protocol }) => protocol?.kind === "secret");
  const name = known?.name ?? ids.entry([], "lockboxPayload");
  if (!known) functions.push({ name, protocol: { kind: "secret" }, span });
  return { name, span };
}
