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
 * Forks that join on their first branch, as forks that wait for all, of which the first to complete ends with an error that stops the others: nothing else
 * does so in a Parallel state. Where a failure is no reason to fail, a branch that fails ends with it; when all have, the last failure is the fork's.
 *
 *   fork a, b joining 1 of 2 -> r → attempt { fork a, b joining all { each: fail with Joined { a: … } }; on error Joined: end with what it carries } -> r
 */
export function lowerFirstJoins(workflow: Workflow, raised: OwnErrors): Workflow {
  if (!stepsOf(workflow).some(isFirstJoin)) return workflow;
  const joins: JoinContext = { document: workflow.input, names: workflowNames(workflow), joined: raised.joined };
  return replaceSteps(workflow, (step, declare) => (isFirstJoin(step) ? [lowerJoin(step, joins, declare)] : [step]));
}

/** Whether a fork goes on with the first branch that completes. */
export const isFirstJoin = (step: Step): step is Fork =>
  step.kind === "fork" && step.join.kind === "some" && step.join.count === 1;

/** What the forks of a workflow are joined with. */
interface JoinContext {
  readonly document: string;
  readonly names: WorkflowNames;
  /** The name of the error that says so. */
  readonly joined: string;
}

function lowerJoin(fork: Fork, joins: JoinContext, declare: (name: string) => void): Attempt {
  const { names } = joins;
  const { id, origin, span, failure, retries, bind: result, handlers, next } = fork;
  const made = (part: string) => ({ id: names.steps.fresh(`${id}/${part}`), origin: derivedOrigin(fork, part), span });
  const [joined, failures] = [names.variables.fresh("joined"), names.variables.fresh("failures")];
  declare(joined);
  declare(failures);
  const taken: End = { ...made("joined"), kind: "end", outcome: "leave", extent: "scope", value: carriedValue(joined) };
  const failed: End = {
    ...made("failed"),
    kind: "end",
    outcome: "fail",
    extent: "scope",
    value: lastFailure(fork, failures),
  };
  const branches: Fork = {
    ...fork,
    ...made("branches"),
    branches: fork.branches.map((branch) =>
      failure === "spare" ? failureTolerantBranch(branch, fork, joins) : winningBranch(branch, joins),
    ),
    join: { kind: "all" },
    failure: "fatal",
    retries: [],
    bind: failures,
    handlers: [{ when: hasName(joins.joined), bind: joined, next: { name: taken.id, span }, span }],
    next: { name: failed.id, span },
  };
  const body: Scope = { entry: { name: branches.id, span }, variables: [], steps: [branches, taken, failed], span };
  return { kind: "attempt", id, origin, span, body, restore: [], retries, bind: result, handlers, next };
}

/** A branch that stops the others when it completes, with an error that carries what is made of its value. */
export const stopOthers = (
  branch: Branch,
  { joined }: Pick<OwnErrors, "joined">,
  made: (value: Expression) => Expression,
): Branch => ({
  ...branch,
  scope: {
    ...branch.scope,
    steps: branch.scope.steps.map((step) =>
      step.kind === "end" && step.outcome === "leave" && step.extent === "scope"
        ? { ...step, outcome: "fail", value: ownError(joined, made(step.value)) }
        : step,
    ),
  },
});

const winningBranch = (branch: Branch, joins: JoinContext): Branch =>
  stopOthers(branch, joins, (value) => object([[branch.name, value]]));

const winningEnd = (end: End, { name }: Branch, { joined }: JoinContext): End => ({
  ...end,
  outcome: "fail",
  value: ownError(joined, object([[name, end.value]])),
});

/** The same of which a failure is only noted, with the time. */
function failureTolerantBranch(branch: Branch, fork: Fork, joins: JoinContext): Branch {
  const { document, names } = joins;
  const { scope, span } = branch;
  const made = (part: string) => ({
    id: names.steps.fresh(`${fork.id}/${branch.name}/${part}`),
    origin: derivedOrigin(fork, part),
    span,
  });
  const isOwn = scope.variables.some(({ name }) => name === document);
  const [given, failure] = [isOwn ? document : names.variables.fresh("given"), names.variables.fresh("failure")];
  const done: End = { ...made("done"), kind: "end", outcome: "leave", extent: "scope", value: variable(given) };
  const noted = object([
    ["error", variable(failure)],
    ["at", variable(intrinsics.millis)],
  ]);
  const failed: End = { ...made("failed"), kind: "end", outcome: "leave", extent: "scope", value: noted };
  const work: Attempt = {
    ...made("work"),
    kind: "attempt",
    body: { ...scope, variables: [] },
    restore: [],
    retries: [],
    bind: given,
    handlers: [{ when: literal(true), bind: failure, next: { name: failed.id, span }, span }],
    next: { name: done.id, span },
  };
  const variables = [...scope.variables, ...(isOwn ? [] : [{ name: given }]), { name: failure }];
  return {
    ...branch,
    scope: { entry: { name: work.id, span }, variables, steps: [work, winningEnd(done, branch, joins), failed], span },
  };
}

/** Of the failures that the branches have noted the last, and of those at one time that of the last branch. */
function lastFailure({ branches }: Fork, failures: string): Expression {
  const [first, ...others] = branches.map(({ name }) => member(variable(failures), name));
  const [known, other] = [variable("known"), variable("other")];
  const last = others.reduce<Expression>(
    (before, next) =>
      bind(
        "known",
        before,
        bind("other", next, conditional(binary(">", member(known, "at"), member(other, "at")), known, other)),
      ),
    first!,
  );
  return member(last, "error");
}
