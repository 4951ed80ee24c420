import {
  binary,
  call,
  collect,
  conditional,
  type Expression,
  literal,
  member,
  object,
  variable,
} from "../../../src/expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type {
  Assign,
  Attempt,
  Branch,
  Call,
  End,
  Fork,
  Handler,
  Scope,
  Step,
  Workflow,
} from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";
import { anyObject } from "../../../src/types/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { carriedValue, hasName, type OwnErrors, ownError } from "../own-errors.ts";
import { replaceSteps } from "./replace-steps.ts";

/** What the branches of a workflow's joins ask of a table: functions that are made with the machine. */
export interface JoinTable {
  /** Notes that a branch has ended; fails with `lastOne` where enough have been noted before. */
  readonly count: string;
  /** Gives what has been noted, and what the last one has given. */
  readonly read: string;
  /** The variables that tell what is to be read, and what the last one has given. */
  readonly join: string;
  readonly lastResult: string;
}

/** The error with which a table refuses to note a branch: enough have been. */
export const conditionalCheckFailed = "DynamoDB.ConditionalCheckFailedException";

/**
 * Forks that join on some of their branches, as forks that wait for all. Branches have nothing in common but a table: each that completes adds its value to
 * an item of it, on the condition that less than all but one of those that are wanted are there. Whose condition fails is the one that was missing: it ends with an error
 * that stops the others, and carries its own value; those before it are read from the table. A failure that is no reason to fail is counted in the same way;
 * the one that leaves too few goes on outward. To do it again, as after an answer that was lost, changes nothing.
 *
 *   fork a, b, c joining 2 of 3 -> r → attempt { fork a, b, c joining all { each: call count; on its refusal: fail with Joined { join, given: { a: … } } }; on error Joined: call read -> g; end with $g + $given } -> r
 */
export function lowerQuorums(
  given: Workflow,
  { joined }: OwnErrors,
  table: string,
): { readonly workflow: Workflow; readonly joinTable: JoinTable | undefined } {
  const whole = replaceSteps(given, (step) => [
    joinsOnAll(step) ? { ...step, join: { kind: "all" }, failure: "fatal" } : step,
  ]);
  if (!stepsOf(whole).some(isQuorum)) return { workflow: whole, joinTable: undefined };
  const names = workflowNames(whole);
  const asked: JoinTable = {
    count: names.functions.fresh("count"),
    read: names.functions.fresh("read"),
    join: names.variables.fresh("join"),
    lastResult: names.variables.fresh("given"),
  };
  const joins: QuorumContext = {
    document: given.input,
    names,
    joined,
    tableName: table,
    table: asked,
    span: given.span,
  };
  const workflow = replaceSteps(whole, (step, declare) =>
    isQuorum(step) ? [lowerQuorum(step, joins, declare)] : [step],
  );
  const { span } = given;
  const functions = [
    { name: asked.count, span },
    { name: asked.read, span, resultType: anyObject },
  ];
  return { workflow: { ...workflow, functions: [...workflow.functions, ...functions] }, joinTable: asked };
}

/** Whether a fork goes on when some of its branches have completed, but more than one. */
export const isQuorum = (step: Step): step is Fork =>
  step.kind === "fork" && step.join.kind === "some" && step.join.count > 1 && step.join.count < step.branches.length;

/** Whether the branches on which a fork goes on are all that it has: then none of them may fail. */
const joinsOnAll = (step: Step): step is Fork =>
  step.kind === "fork" && step.join.kind === "some" && step.join.count > 1 && step.join.count === step.branches.length;

/** What the forks of a workflow are joined with. */
interface QuorumContext {
  readonly document: string;
  readonly names: WorkflowNames;
  /** The name of the error that says that a fork has joined. */
  readonly joined: string;
  readonly tableName: string;
  readonly table: JoinTable;
  /** That of the workflow, for what is made with the machine. */
  readonly span: Workflow["span"];
}

/** One fork, and what its branches need. */
interface ForkContext extends QuorumContext {
  readonly fork: Fork;
  /** How many it joins on. */
  readonly wanted: number;
  /** The variable of each branch that tells this visit of the fork from all others. */
  readonly visit: string;
}

function lowerQuorum(fork: Fork, joins: QuorumContext, declare: (name: string) => void): Attempt {
  const { names, table: asked } = joins;
  const { id, origin, span, failure, retries, bind: result, handlers, next, join: wanted } = fork;
  const made = deriveFrom(fork, names);
  const [joined, known] = [names.variables.fresh("joined"), names.variables.fresh("known")];
  for (const name of [joined, known, asked.join, asked.lastResult]) declare(name);
  const count = wanted.kind === "some" ? wanted.count : fork.branches.length;
  const all: ForkContext = { ...joins, fork, wanted: count, visit: names.variables.fresh("join") };
  const taken: End = { ...made("joined"), kind: "end", outcome: "leave", extent: "scope", value: variable(known) };
  const read: Call = { ...made("read"), ...readCall(known, joins), next: { name: taken.id, span } };
  const carried: Assign = {
    ...made("carried"),
    kind: "assign",
    values: [
      { variable: asked.join, value: member(carriedValue(joined), "join") },
      { variable: asked.lastResult, value: member(carriedValue(joined), "given") },
    ],
    next: { name: read.id, span },
  };
  const branches: Fork = {
    ...fork,
    ...made("branches"),
    branches: fork.branches.map((branch) =>
      failure === "spare" ? failureTolerantBranch(branch, all) : countedBranch(branch, all),
    ),
    join: { kind: "all" },
    failure: "fatal",
    retries: [],
    bind: undefined,
    handlers: [{ when: hasName(joins.joined), bind: joined, next: { name: carried.id, span }, span }],
    next: { name: read.id, span },
  };
  const steps = [branches, carried, read, taken];
  const body: Scope = { entry: { name: branches.id, span }, variables: [], steps, span };
  return { kind: "attempt", id, origin, span, body, restore: [], retries, bind: result, handlers, next };
}

/** The call that reads what has been noted, but for where it stands. */
const readCall = (
  bind: string,
  { tableName: table, table: asked, span }: QuorumContext,
): Omit<Call, "id" | "origin" | "span" | "next"> => ({
  kind: "call",
  function: { name: asked.read, span },
  argument: object([
    ["TableName", literal(table)],
    ["Key", joinKey(variable(asked.join))],
    ["ConsistentRead", literal(true)],
  ]),
  wait: true,
  bind,
  retries: [],
  handlers: [],
});

/** The id, the origin and the place of a step that is made for a fork. */
const deriveFrom =
  (fork: Fork, { steps }: WorkflowNames) =>
  (part: string) => ({ id: steps.fresh(`${fork.id}/${part}`), origin: derivedOrigin(fork, part), span: fork.span });

/** A branch that is counted when it completes. What it gives is computed once, although it is told twice. */
function countedBranch(branch: Branch, joining: ForkContext): Branch {
  const { scope } = branch;
  const { variables } = joining.names;
  const [counted, value] = [variables.fresh("counted"), variables.fresh("value")];
  const isLast = (step: Step): step is End =>
    step.kind === "end" && step.outcome === "leave" && step.extent === "scope";
  const steps = scope.steps.flatMap((step) => {
    if (!isLast(step)) return [step];
    if (isSimple(step.value)) return countCompletion(step, branch, joining, counted);
    const done: End = {
      ...step,
      ...deriveFrom(joining.fork, joining.names)(`count ${branch.name}`),
      value: variable(value),
    };
    const { id, origin, span } = step;
    const values = [{ variable: value, value: step.value }];
    const computed: Assign = { kind: "assign", id, origin, span, values, next: { name: done.id, span } };
    return [computed, ...countCompletion(done, branch, joining, counted)];
  });
  const added = scope.steps.some((step) => isLast(step) && !isSimple(step.value)) ? [counted, value] : [counted];
  return { ...branch, scope: { ...scope, variables: branchVariables(scope, joining, ...added), steps } };
}

const isSimple = ({ kind }: Expression): boolean => kind === "variable" || kind === "literal";

const branchVariables = (
  { variables }: Scope,
  { visit }: ForkContext,
  ...more: readonly string[]
): Scope["variables"] => [
  ...variables,
  { name: visit, initial: variable(intrinsics.uuid) },
  ...more.map((name) => ({ name })),
];

/** In the place of an end of a branch: it is counted, and stops the others where it is the last that is wanted. */
function countCompletion(end: End, { name }: Branch, joining: ForkContext, counted: string): readonly Step[] {
  const { fork, names, joined, visit, wanted } = joining;
  const made = deriveFrom(fork, names);
  const value = object([[name, end.value]]);
  const last: End = {
    ...made(`${name} joins`),
    kind: "end",
    outcome: "fail",
    extent: "scope",
    value: ownError(
      joined,
      object([
        ["join", variable(visit)],
        ["given", value],
      ]),
    ),
  };
  const left = leave(made(`${name} counted`), counted);
  const tally: BranchCount = { set: "completedBranches", maxOthers: wanted - 2, value };
  return [
    {
      ...countCall(name, tally, joining, counted),
      id: end.id,
      origin: end.origin,
      next: { name: left.id, span: end.span },
      handlers: onRefusal(last),
    },
    left,
    last,
  ];
}

const leave = (made: Pick<End, "id" | "origin" | "span">, counted: string): End => ({
  ...made,
  kind: "end",
  outcome: "leave",
  extent: "scope",
  value: variable(counted),
});

/** What is done where a table refuses to note a branch. */
const onRefusal = ({ id: name, span }: Step): readonly Handler[] => [
  { when: hasName(conditionalCheckFailed), next: { name, span }, span },
];

/** The same of a branch whose failure is counted too. */
function failureTolerantBranch(branch: Branch, joining: ForkContext): Branch {
  const { scope, name, span } = branch;
  const { fork, names, wanted } = joining;
  const made = deriveFrom(fork, names);
  const { document } = joining;
  const isOwn = scope.variables.some((each) => each.name === document);
  const given = isOwn ? document : names.variables.fresh("given");
  const [failure, counted] = [names.variables.fresh("failure"), names.variables.fresh("counted")];
  const done = leave(made(`count ${name}`), given);
  const left = leave(made(`${name} spared`), counted);
  const lost: End = {
    ...made(`${name} lost`),
    kind: "end",
    outcome: "fail",
    extent: "scope",
    value: variable(failure),
  };
  const tally: BranchCount = { set: "failedBranches", maxOthers: fork.branches.length - wanted - 1 };
  const spared: Call = {
    ...countCall(name, tally, joining, counted),
    ...made(`count failure of ${name}`),
    next: { name: left.id, span },
    handlers: onRefusal(lost),
  };
  const work: Attempt = {
    ...made(`${name} work`),
    kind: "attempt",
    body: { ...scope, variables: [] },
    restore: [],
    retries: [],
    bind: given,
    handlers: [{ when: literal(true), bind: failure, next: { name: spared.id, span }, span }],
    next: { name: done.id, span },
  };
  const steps = [work, ...countCompletion(done, branch, joining, counted), spared, left, lost];
  const variables = branchVariables(scope, joining, ...(isOwn ? [] : [given]), failure, counted);
  return { ...branch, scope: { entry: { name: work.id, span }, variables, steps, span } };
}

/** What of a branch is noted: in which set of names, how many others may be there, and the value that it has given. */
interface BranchCount {
  readonly set: "completedBranches" | "failedBranches";
  readonly maxOthers: number;
  readonly value?: Expression | undefined;
}

/** The call that notes a branch, but for where it stands. */
function countCall(
  name: string,
  { set, maxOthers: most, value }: BranchCount,
  joining: ForkContext,
  counted: string,
): Omit<Call, "next"> {
  const { fork, tableName: table, table: asked, visit, wanted } = joining;
  const sets = value ? `${set} :names, branchValues :given` : `${set} :names`;
  return {
    id: fork.id,
    origin: fork.origin,
    span: fork.span,
    kind: "call",
    function: { name: asked.count, span: fork.span },
    argument: object([
      ["TableName", literal(table)],
      ["Key", joinKey(variable(visit))],
      ["UpdateExpression", literal(`ADD ${sets} SET #ttl = :ttl`)],
      [
        "ConditionExpression",
        literal(`attribute_not_exists(${set}) OR contains(${set}, :name) OR size(${set}) <= :most`),
      ],
      ["ExpressionAttributeNames", literal({ "#ttl": "ttl" })],
      [
        "ExpressionAttributeValues",
        object([
          [":name", literal({ S: name })],
          [":names", literal({ SS: [name] })],
          [":most", literal({ N: String(most) })],
          ...(value ? [[":given", object([["SS", collect(resultText(value, wanted))]])] as const] : []),
          [":ttl", object([["N", variable(intrinsics.expiry)]])],
        ]),
      ],
    ]),
    wait: true,
    bind: counted,
    retries: [],
    handlers: [],
  };
}

/** The key of the item in which the branches of one visit of a fork are noted. */
const joinKey = (join: Expression): Expression =>
  object([
    ["pk", object([["S", join]])],
    ["sk", literal({ S: "join" })],
  ]);

/** The longest Cause that Step Functions takes, without what is around a value in it. */
const maxResultLength = 32_600;

/** The bytes that an item of DynamoDB may have, without what else is in it, as characters of which none takes more than three. */
const maxResultsLength = 130_000;

/** What a branch has given as JSON text. Where it is longer than the last one could carry, or than all but one may be together in an item, the run fails. */
function resultText(value: Expression, wanted: number): Expression {
  const most = Math.min(maxResultLength, Math.floor(maxResultsLength / (wanted - 1)));
  const message = `What a branch gives that is joined with others has more than ${most.toLocaleString("en-US")} characters.`;
  const text = call("text", value);
  const tooLong = call("error", literal({ name: "LimitError", message }));
  return conditional(binary("<=", call("length", text), literal(most)), text, tooLong);
}
