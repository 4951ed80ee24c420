import {
  binary,
  bind,
  conditional,
  type Expression,
  literal,
  member,
  object,
  variable,
} from "../../../src/expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Attempt, Branch, End, Fork, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { carriedValue, hasName, type OwnErrors, ownError } from "../own-errors.ts";
import { replaceSteps } from "./replace-steps.ts";

/**
 * Lowers forks that join on their first branch to forks that join on all: the first to complete raises an error, the
 * only way to stop the others in a Parallel state. If failures are tolerated, a failing branch completes with its
 * error, and the fork fails with the last error if all branches fail.
 *
 *   fork a, b joining 1 of 2 -> r
 *   → attempt { fork a, b joining all { each: fail with Joined { a: … } }; on error Joined: end with its value } -> r
 */
export function lowerFirstJoins(workflow: Workflow, ownErrors: OwnErrors): Workflow {
  if (!stepsOf(workflow).some(isFirstJoin)) return workflow;
  const context: JoinContext = { document: workflow.input, names: workflowNames(workflow), joined: ownErrors.joined };
  return replaceSteps(workflow, (step, declare) => (isFirstJoin(step) ? [lowerJoin(step, context, declare)] : [step]));
}

/** Whether a fork joins on its first branch. */
export const isFirstJoin = (step: Step): step is Fork =>
  step.kind === "fork" && step.join.kind === "some" && step.join.count === 1;

interface JoinContext {
  readonly document: string;
  readonly names: WorkflowNames;
  /** The name of the error that stops branches. */
  readonly joined: string;
}

function lowerJoin(fork: Fork, context: JoinContext, declare: (name: string) => void): Attempt {
  const { names } = context;
  const { id, origin, span, failure, retries, bind: result, handlers, next } = fork;
  const derive = (part: string) => ({
    id: names.steps.fresh(`${id}/${part}`),
    origin: derivedOrigin(fork, part),
    span,
  });
  const [joined, failures] = [names.variables.fresh("joined"), names.variables.fresh("failures")];
  declare(joined);
  declare(failures);
  const joinedEnd: End = {
    ...derive("joined"),
    kind: "end",
    outcome: "leave",
    extent: "scope",
    value: carriedValue(joined),
  };
  const failed: End = {
    ...derive("failed"),
    kind: "end",
    outcome: "fail",
    extent: "scope",
    value: lastFailure(fork, failures),
  };
  const branches: Fork = {
    ...fork,
    ...derive("branches"),
    branches: fork.branches.map((branch) =>
      failure === "spare" ? failureTolerantBranch(branch, fork, context) : winningBranch(branch, context),
    ),
    join: { kind: "all" },
    failure: "fatal",
    retries: [],
    bind: failures,
    handlers: [{ when: hasName(context.joined), bind: joined, next: { name: joinedEnd.id, span }, span }],
    next: { name: failed.id, span },
  };
  const body: Scope = { entry: { name: branches.id, span }, variables: [], steps: [branches, joinedEnd, failed], span };
  return { kind: "attempt", id, origin, span, body, restore: [], retries, bind: result, handlers, next };
}

/** Makes a branch stop the others when it completes; the error carries its wrapped value. */
export const stopOthers = (
  branch: Branch,
  { joined }: Pick<OwnErrors, "joined">,
  wrap: (value: Expression) => Expression,
): Branch => ({
  ...branch,
  scope: {
    ...branch.scope,
    steps: branch.scope.steps.map((step) =>
      step.kind === "end" && step.outcome === "leave" && step.extent === "scope"
        ? { ...step, outcome: "fail", value: ownError(joined, wrap(step.value)) }
        : step,
    ),
  },
});

const winningBranch = (branch: Branch, context: JoinContext): Branch =>
  stopOthers(branch, context, (value) => object([[branch.name, value]]));

const winningEnd = (end: End, { name }: Branch, { joined }: JoinContext): End => ({
  ...end,
  outcome: "fail",
  value: ownError(joined, object([[name, end.value]])),
});

/** If the branch fails, it completes with its error and the time. */
function failureTolerantBranch(branch: Branch, fork: Fork, context: JoinContext): Branch {
  const { document, names } = context;
  const { scope, span } = branch;
  const derive = (part: string) => ({
    id: names.steps.fresh(`${fork.id}/${branch.name}/${part}`),
    origin: derivedOrigin(fork, part),
    span,
  });
  const isOwn = scope.variables.some(({ name }) => name === document);
  const [result, failure] = [isOwn ? document : names.variables.fresh("given"), names.variables.fresh("failure")];
  const done: End = { ...derive("done"), kind: "end", outcome: "leave", extent: "scope", value: variable(result) };
  const recorded = object([
    ["error", variable(failure)],
    ["at", variable(intrinsics.millis)],
  ]);
  const failed: End = { ...derive("failed"), kind: "end", outcome: "leave", extent: "scope", value: recorded };
  const work: Attempt = {
    ...derive("work"),
    kind: "attempt",
    body: { ...scope, variables: [] },
    restore: [],
    retries: [],
    bind: result,
    handlers: [{ when: literal(true), bind: failure, next: { name: failed.id, span }, span }],
    next: { name: done.id, span },
  };
  const variables = [...scope.variables, ...(isOwn ? [] : [{ name: result }]), { name: failure }];
  return {
    ...branch,
    scope: {
      entry: { name: work.id, span },
      variables,
      steps: [work, winningEnd(done, branch, context), failed],
      span,
    },
  };
}

/** Among simultaneous errors, that of the last branch. */
function lastFailure({ branches }: Fork, failures: string): Expression {
  const [first, ...others] = branches.map(({ name }) => member(variable(failures), name));
  const [earlier, later] = [variable("known"), variable("other")];
  const last = others.reduce<Expression>(
    (before, next) =>
      bind(
        "known",
        before,
        bind("other", next, conditional(binary(">", member(earlier, "at"), member(later, "at")), earlier, later)),
      ),
    first!,
  );
  return member(last, "error");
}
