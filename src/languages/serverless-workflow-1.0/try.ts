import { binary, type Expression, firstOr, literal, member, variable } from "../../expressions/index.ts";
import type { Catch, RetryPolicy as Policy } from "../../generated/serverless-workflow-1.0-definition.ts";
import { own } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { taskRow } from "./arguments.ts";
import { attemptSteps } from "./boundary.ts";
import { type Context, contextName, dataName, freshVariable, type Writer } from "./context.ts";
import { outputSteps } from "./data-flow.ts";
import { swallowedErrors } from "./diagnostics/flow.ts";
import { unknownComponent } from "./diagnostics/references.ts";
import { secondsAt } from "./durations.ts";
import { policyConditions, whole } from "./error-filters.ts";
import { hasType, problemOf } from "./errors.ts";
import { templateAt } from "./expressions.ts";
import { checkSince } from "./identity.ts";
import { innerScope, lowerInner } from "./lists.ts";
import { checkNames } from "./loops.ts";
import { checkErrorType, checkStatus } from "./raise.ts";
import { retryOf } from "./retry.ts";

/**
 * The list is retried while the policy allows; then `catch.do` runs, with the input of the task and the context that
 * the failed attempt left. Without `retry`, `do` and `then`, the error is swallowed.
 */
export function lowerTry(writer: Writer): StepFragment {
  const { context, task, scope, construct } = writer;
  const caught = task.catch!;
  checkNames(writer, caught, ["as"]);
  checkSince(context, caught, "then", "catch.then", 4);
  const tried = freshVariable(scope, "tried");
  const begin = assign(writer, "begin", construct.span, { variable: tried, value: variable(dataName) });
  const filter = errorFilter(writer, caught);
  const policy = policyOf(writer, caught);
  const retry = policy && retryOf(writer, policy, filter);
  const retries = retry ? [retry.retry] : [];
  const restore = context.hasExports ? [dataName, contextName] : [dataName];
  const isHandled = !policy || caught.do !== undefined || caught.then !== undefined;
  if (caught.retry === undefined && caught.do === undefined && caught.then === undefined)
    context.report(swallowedErrors(spanOf(context, task, "catch", "key"), {}));
  const attempt = attemptSteps(
    writer,
    (inner) => tryList(inner, policy),
    () => {
      if (!isHandled) return () => ({ restore, retries, handlers: [] });
      const error = freshVariable(scope, "error");
      const handle = handlerSteps(writer, caught, { error, tried });
      const span = spanOf(context, task, "catch", "key");
      return (next) => ({
        restore,
        retries,
        handlers: [{ when: filter, bind: error, next: handle(next), span }],
      });
    },
  );
  return sequence(begin, retry?.steps ?? noSteps, attempt);
}

/** The list, within the time limit of each attempt. */
function tryList(writer: Writer, policy: Policy | undefined): StepFragment {
  const list = (inner: Writer) => lowerInner(inner, innerScope(inner), { owner: inner.task, key: "try", at: "try" });
  const limit = policy?.limit?.attempt;
  if (limit?.duration === undefined) return list(writer);
  const { seconds, steps } = secondsAt(writer, { owner: limit, key: "duration" }, taskRow(writer), "positive");
  const recover = () => () => ({ restore: [], retries: [], handlers: [], timeout: seconds });
  return sequence(steps, attemptSteps(writer, list, recover));
}

/** The steps of a caught error, which leave the raw output in the data. */
function handlerSteps(
  writer: Writer,
  caught: Catch,
  { error, tried }: { readonly error: string; readonly tried: string },
): StepFragment {
  const { construct } = writer;
  const problem = problemOf(variable(error));
  const begin = assign(
    writer,
    "catch",
    construct.span,
    { variable: error, value: problem },
    { variable: dataName, value: variable(tried) },
  );
  const scope = innerScope(writer, new Map([[caught.as ?? "error", variable(error)]]));
  const handle = caught.do ? lowerInner(writer, scope, { owner: caught, key: "do", at: "catch/do" }) : noSteps;
  if (caught.then === undefined) return sequence(begin, handle);
  writer.check(caught, "then");
  const directive = caught.then;
  const finish = directive === "continue" ? noSteps : outputSteps(writer);
  const leave: StepFragment = (next) => (directive === "continue" ? next : writer.route(directive));
  return sequence(begin, handle, finish, leave);
}

/** The name of a property as it is written: `details` up to 1.0.3. */
function textOf({ document }: Context, owner: object, key: string): string {
  if (!Object.hasOwn(owner, key)) return "";
  const { source, start, end } = document.spanOf(owner, key, "key");
  return source.text.slice(start, end);
}

/** Whether the properties and conditions of `catch` match `$error`. */
function errorFilter(writer: Writer, caught: Catch): Expression {
  const { context } = writer;
  const error = variable("error");
  const problem = variable("problem");
  const wanted = caught.errors?.with ?? {};
  const row = taskRow(writer);
  if (wanted.type !== undefined) checkErrorType(context, wanted, "type");
  checkStatus(context, wanted);
  if (/\bdetail\b/.test(textOf(context, wanted, "detail")))
    checkSince(context, wanted, "detail", "errors.with.detail", 4);
  const conditions = Object.keys(wanted).map((key) => {
    const value = templateAt(context, { owner: wanted, key }, row);
    if (key === "type" && value.kind === "literal") return hasType(error, String(value.value));
    const expected = key === "status" && value.kind === "literal" ? literal(Number(value.value)) : value;
    return binary("==", firstOr(member(problem, key), literal(null)), expected);
  });
  return whole([...conditions, ...policyConditions(writer, caught)]);
}

function policyOf(writer: Writer, caught: Catch): Policy | undefined {
  const { context } = writer;
  if (typeof caught.retry !== "string") return caught.retry;
  const known = context.definition.use?.retries ?? {};
  const found = own(known, caught.retry);
  if (found) return found;
  const span = spanOf(context, caught, "retry");
  const names = Object.keys(known);
  context.report(
    unknownComponent(span, { noun: "retry policy", name: caught.retry, known: names, under: "use.retries" }),
  );
  return undefined;
}
