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
import { groupDigits } from "../../../src/text/messages.ts";
import { anyObject } from "../../../src/types/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { carriedValue, hasName, type OwnErrors, ownError } from "../own-errors.ts";
import { replaceSteps } from "./replace-steps.ts";

/** The functions and variables of the table that counts branches. */
export interface JoinTable {
  /** Fails with `conditionalCheckFailed` if enough are counted. */
  readonly count: string;
  /** Reads the results of counted branches, and of the last one. */
  readonly read: string;
  /** The variables with the key to read, and with the last result. */
  readonly join: string;
  readonly lastResult: string;
}

/** The error of a table that has counted enough branches. */
export const conditionalCheckFailed = "DynamoDB.ConditionalCheckFailedException";

/**
 * Lowers forks that join on some branches to forks that join on all. Each branch that completes adds its result to an
 * item in a table, if more than one is still missing. The one whose condition fails is the last: it stops the others
 * by an error with its result; the earlier results are read from the table. Tolerated failures are counted likewise;
 * the one that leaves too few branches is raised. Counting is idempotent, so lost responses are retried.
 *
 *   fork a, b, c joining 2 of 3 -> r
 *   → attempt { fork a, b, c joining all { each: call count; if refused: fail with Joined { join, given: { a: … } } }; on error Joined: call read -> g; end with $g + $given } -> r
 */
export function lowerQuorums(
  source: Workflow,
  { joined }: OwnErrors,
  table: string,
): { readonly workflow: Workflow; readonly joinTable: JoinTable | undefined } {
  const withoutTrivial = replaceSteps(source, (step) => [
    joinsOnAll(step) ? { ...step, join: { kind: "all" }, failure: "fatal" } : step,
  ]);
  if (!stepsOf(withoutTrivial).some(isQuorum)) return { workflow: withoutTrivial, joinTable: undefined };
  const names = workflowNames(withoutTrivial);
  const joinTable: JoinTable = {
    count: names.functions.fresh("count"),
    read: names.functions.fresh("read"),
    join: names.variables.fresh("join"),
    lastResult: names.variables.fresh("given"),
  };
  const context: QuorumContext = {
    document: source.input,
    names,
    joined,
    tableName: table,
    table: joinTable,
    span: source.span,
  };
  const workflow = replaceSteps(withoutTrivial, (step, declare) =>
    isQuorum(step) ? [lowerQuorum(step, context, declare)] : [step],
  );
  const { span } = source;
  const functions = [
    { name: joinTable.count, span },
    { name: joinTable.read, span, resultType: anyObject },
  ];
  return { workflow: { ...workflow, functions: [...workflow.functions, ...functions] }, joinTable };
}

/** Whether a fork joins on several, but not all of its branches. */
export const isQuorum = (step: Step): step is Fork =>
  step.kind === "fork" && step.join.kind === "some" && step.join.count > 1 && step.join.count < step.branches.length;

/** None may fail. */
const joinsOnAll = (step: Step): step is Fork =>
  step.kind === "fork" && step.join.kind === "some" && step.join.count > 1 && step.join.count === step.branches.length;

interface QuorumContext {
  readonly document: string;
  readonly names: WorkflowNames;
  /** The name of the error that stops branches. */
  readonly joined: string;
  readonly tableName: string;
  readonly table: JoinTable;
  /** For generated functions. */
  readonly span: Workflow["span"];
}

interface ForkContext extends QuorumContext {
  readonly fork: Fork;
  /** The number of branches to join on. */
  readonly wanted: number;
  /** The variable that identifies this visit of the fork. */
  readonly visit: string;
}

function lowerQuorum(fork: Fork, context: QuorumContext, declare: (name: string) => void): Attempt {
  const { names, table: joinTable } = context;
  const { id, origin, span, failure, retries, bind: result, handlers, next, join: wanted } = fork;
  const derive = deriveFrom(fork, names);
  const [joined, results] = [names.variables.fresh("joined"), names.variables.fresh("known")];
  for (const name of [joined, results, joinTable.join, joinTable.lastResult]) declare(name);
  const count = wanted.kind === "some" ? wanted.count : fork.branches.length;
  const all: ForkContext = { ...context, fork, wanted: count, visit: names.variables.fresh("join") };
  const joinedEnd: End = {
    ...derive("joined"),
    kind: "end",
    outcome: "leave",
    extent: "scope",
    value: variable(results),
  };
  const read: Call = { ...derive("read"), ...readCall(results, context), next: { name: joinedEnd.id, span } };
  const carried: Assign = {
    ...derive("carried"),
    kind: "assign",
    values: [
      { variable: joinTable.join, value: member(carriedValue(joined), "join") },
      { variable: joinTable.lastResult, value: member(carriedValue(joined), "given") },
    ],
    next: { name: read.id, span },
  };
  const branches: Fork = {
    ...fork,
    ...derive("branches"),
    branches: fork.branches.map((branch) =>
      failure === "spare" ? failureTolerantBranch(branch, all) : countedBranch(branch, all),
    ),
    join: { kind: "all" },
    failure: "fatal",
    retries: [],
    bind: undefined,
    handlers: [{ when: hasName(context.joined), bind: joined, next: { name: carried.id, span }, span }],
    next: { name: read.id, span },
  };
  const steps = [branches, carried, read, joinedEnd];
  const body: Scope = { entry: { name: branches.id, span }, variables: [], steps, span };
  return { kind: "attempt", id, origin, span, body, restore: [], retries, bind: result, handlers, next };
}

const readCall = (
  bind: string,
  { tableName: table, table: joinTable, span }: QuorumContext,
): Omit<Call, "id" | "origin" | "span" | "next"> => ({
  kind: "call",
  function: { name: joinTable.read, span },
  argument: object([
    ["TableName", literal(table)],
    ["Key", joinKey(variable(joinTable.join))],
    ["ConsistentRead", literal(true)],
  ]),
  wait: true,
  bind,
  retries: [],
  handlers: [],
});

const deriveFrom =
  (fork: Fork, { steps }: WorkflowNames) =>
  (part: string) => ({ id: steps.fresh(`${fork.id}/${part}`), origin: derivedOrigin(fork, part), span: fork.span });

/** The result is used twice, so it is computed once. */
function countedBranch(branch: Branch, context: ForkContext): Branch {
  const { scope } = branch;
  const { variables } = context.names;
  const [counted, value] = [variables.fresh("counted"), variables.fresh("value")];
  const isLast = (step: Step): step is End =>
    step.kind === "end" && step.outcome === "leave" && step.extent === "scope";
  const steps = scope.steps.flatMap((step) => {
    if (!isLast(step)) return [step];
    if (isSimple(step.value)) return countCompletion(step, branch, context, counted);
    const done: End = {
      ...step,
      ...deriveFrom(context.fork, context.names)(`count ${branch.name}`),
      value: variable(value),
    };
    const { id, origin, span } = step;
    const values = [{ variable: value, value: step.value }];
    const computed: Assign = { kind: "assign", id, origin, span, values, next: { name: done.id, span } };
    return [computed, ...countCompletion(done, branch, context, counted)];
  });
  const added = scope.steps.some((step) => isLast(step) && !isSimple(step.value)) ? [counted, value] : [counted];
  return { ...branch, scope: { ...scope, variables: branchVariables(scope, context, ...added), steps } };
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

/** Counts the branch; the last one stops the others. */
function countCompletion(end: End, { name }: Branch, context: ForkContext, counted: string): readonly Step[] {
  const { fork, names, joined, visit, wanted } = context;
  const derive = deriveFrom(fork, names);
  const value = object([[name, end.value]]);
  const last: End = {
    ...derive(`${name} joins`),
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
  const left = leave(derive(`${name} counted`), counted);
  const tally: BranchCount = { set: "completedBranches", maxOthers: wanted - 2, value };
  return [
    {
      ...countCall(name, tally, context, counted),
      id: end.id,
      origin: end.origin,
      next: { name: left.id, span: end.span },
      handlers: onRefusal(last),
    },
    left,
    last,
  ];
}

const leave = (derive: Pick<End, "id" | "origin" | "span">, counted: string): End => ({
  ...derive,
  kind: "end",
  outcome: "leave",
  extent: "scope",
  value: variable(counted),
});

const onRefusal = ({ id: name, span }: Step): readonly Handler[] => [
  { when: hasName(conditionalCheckFailed), next: { name, span }, span },
];

/** Like `countedBranch`, but counts a failure, too. */
function failureTolerantBranch(branch: Branch, context: ForkContext): Branch {
  const { scope, name, span } = branch;
  const { fork, names, wanted } = context;
  const derive = deriveFrom(fork, names);
  const { document } = context;
  const isOwn = scope.variables.some((each) => each.name === document);
  const source = isOwn ? document : names.variables.fresh("given");
  const [failure, counted] = [names.variables.fresh("failure"), names.variables.fresh("counted")];
  const done = leave(derive(`count ${name}`), source);
  const left = leave(derive(`${name} spared`), counted);
  const lost: End = {
    ...derive(`${name} lost`),
    kind: "end",
    outcome: "fail",
    extent: "scope",
    value: variable(failure),
  };
  const tally: BranchCount = { set: "failedBranches", maxOthers: fork.branches.length - wanted - 1 };
  const spared: Call = {
    ...countCall(name, tally, context, counted),
    ...derive(`count failure of ${name}`),
    next: { name: left.id, span },
    handlers: onRefusal(lost),
  };
  const work: Attempt = {
    ...derive(`${name} work`),
    kind: "attempt",
    body: { ...scope, variables: [] },
    restore: [],
    retries: [],
    bind: source,
    handlers: [{ when: literal(true), bind: failure, next: { name: spared.id, span }, span }],
    next: { name: done.id, span },
  };
  const steps = [work, ...countCompletion(done, branch, context, counted), spared, left, lost];
  const variables = branchVariables(scope, context, ...(isOwn ? [] : [source]), failure, counted);
  return { ...branch, scope: { entry: { name: work.id, span }, variables, steps, span } };
}

/** The set, and the maximum of others in it. */
interface BranchCount {
  readonly set: "completedBranches" | "failedBranches";
  readonly maxOthers: number;
  readonly value?: Expression | undefined;
}

function countCall(
  name: string,
  { set, maxOthers: most, value }: BranchCount,
  context: ForkContext,
  counted: string,
): Omit<Call, "next"> {
  const { fork, tableName: table, table: joinTable, visit, wanted } = context;
  const sets = value ? `${set} :names, branchValues :given` : `${set} :names`;
  return {
    id: fork.id,
    origin: fork.origin,
    span: fork.span,
    kind: "call",
    function: { name: joinTable.count, span: fork.span },
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

const joinKey = (join: Expression): Expression =>
  object([
    ["pk", object([["S", join]])],
    ["sk", literal({ S: "join" })],
  ]);

/** Step Functions' limit for a Cause, minus what surrounds the result. */
const maxResultLength = 32_600;

/** The maximum size of a DynamoDB item, minus its other attributes, in characters of up to three bytes. */
const maxResultsLength = 130_000;

/** As JSON. The run fails if the last branch's Cause, or the item with all others, could not hold it. */
function resultText(value: Expression, wanted: number): Expression {
  const most = Math.min(maxResultLength, Math.floor(maxResultsLength / (wanted - 1)));
  const message = `What a branch gives that is joined with others has more than ${groupDigits(most)} characters.`;
  const text = call("text", value);
  const tooLong = call("error", literal({ name: "LimitError", message }));
  return conditional(binary("<=", call("length", text), literal(most)), text, tooLong);
}
