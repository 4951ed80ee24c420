import {
  type BranchItem,
  type JumpItem,
  jumpsTo,
  type LabeledItem,
  type LoopItem,
  mayFallThrough,
  type StructuredBlock,
  type StructuredItem,
} from "../../../src/cfg/index.ts";
import { canFail, simplify } from "../../../src/expressions/index.ts";
import { camelCase } from "../../../src/expressions/js/index.ts";
import {
  type Block as Code,
  equalNodes,
  isPure,
  type JsExpression,
  js,
  negate,
  type Statement,
} from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import { type FunctionContext, printCondition } from "./context.ts";
import { discardValue } from "./declarations.ts";
import { throwNoMatch } from "./ends.ts";
import { beginStep, lowerStep, reachableCases, stepName } from "./steps.ts";

/** Lowers a block to statements. */
export function lowerBlock(block: StructuredBlock, context: FunctionContext, jumps: JumpTargets = noJumpTargets): Code {
  return block.flatMap((item) => lowerItem(item, context, jumps));
}

/** The target of unlabeled jumps, and the names of enclosing labels. */
export interface JumpTargets {
  readonly loop: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
}

const noJumpTargets: JumpTargets = { loop: undefined, labels: new Map() };

function lowerItem(item: StructuredItem, context: FunctionContext, jumps: JumpTargets): Code {
  switch (item.kind) {
    case "step":
      return lowerStep(item, context, (block, inner) => lowerBlock(block, inner, jumps));
    case "branch":
      return lowerBranch(item, context, jumps);
    case "loop":
      return lowerLoop(item, context, jumps);
    case "labeled":
      return lowerLabeled(item, context, jumps);
    case "select":
      return [js.assign("aim", js.literal(item.target))];
    case "break":
    case "continue":
      return [lowerJump(item, jumps)];
    default:
      return assertNever(item);
  }
}

function lowerJump({ kind, label }: JumpItem, { loop, labels }: JumpTargets): Statement {
  const name = loop === label ? undefined : labels.get(label);
  return kind === "break" ? js.breakStatement(name) : js.continueStatement(name);
}

/** Empty arms are omitted by negating their conditions. */
function lowerBranch(branch: BranchItem, context: FunctionContext, jumps: JumpTargets): Code {
  const begin = branch.by.kind === "step" ? beginStep(branch.by.step, context) : [];
  const otherwise = branch.otherwise ?? (branch.by.kind === "step" ? undefined : []);
  const tests = reachableCases(branch.arms.map((_, i) => testOf(branch, i, context)));
  const always = tests.find(({ test }) => test === undefined);
  const last = always
    ? lowerBlock(branch.arms[always.index]!, context, jumps)
    : otherwise
      ? lowerBlock(otherwise, context, jumps)
      : throwNoMatch(branch);
  const cases = tests.flatMap(({ test, index }) => {
    const arm = branch.arms[index]!;
    const mayFail = branch.by.kind === "step" && canFail(simplify(branch.by.step.cases[index]!.when));
    return test ? [{ test, mayFail, body: lowerBlock(arm, context, jumps), completes: mayFallThrough(arm) }] : [];
  });
  return [...begin, ...ifElseChain(mergeEqualCases(cases), last)];
}

interface LoweredCase {
  readonly test: JsExpression;
  /** If so, the test is evaluated even if nothing depends on it. */
  readonly mayFail: boolean;
  readonly body: Code;
  readonly completes: boolean;
}

function testOf({ by }: BranchItem, index: number, context: FunctionContext): JsExpression {
  if (by.kind === "select") return js.binary(js.name("aim"), "===", js.literal(by.targets[index]!));
  return printCondition(context, by.step.id, by.step.cases[index]!.when).code;
}

function mergeEqualCases(cases: readonly LoweredCase[]): readonly LoweredCase[] {
  const result: LoweredCase[] = [];
  for (const each of cases) {
    const before = result.at(-1);
    if (before && equalNodes(before.body, each.body))
      result[result.length - 1] = {
        ...before,
        test: js.or(before.test, each.test),
        mayFail: before.mayFail || each.mayFail,
      };
    else result.push(each);
  }
  return result;
}

/** `if (a) { … } else if (b) { … } else { … }`, without `else` after bodies that do not complete. */
function ifElseChain(cases: readonly LoweredCase[], last: Code): Code {
  const [first, ...rest] = cases;
  if (!first) return last;
  if (first.body.length === 0) {
    const more = ifElseChain(rest, last);
    if (more.length > 0) return [unless(first.test, more)];
    return first.mayFail ? [discardValue(first.test)] : [];
  }
  const more = ifElseChain(rest, last);
  if (isPure(first.test) && equalNodes(first.body, more)) return more;
  const end = first.body.at(-1)!;
  if (first.body.length > 1 && more.length === 1 && end.kind === "jump" && equalNodes(end, more[0]))
    return [js.ifStatement(first.test, first.body.slice(0, -1)), ...more];
  if (rest.length === 0 && first.completes && more.length === 1 && more[0]!.kind === "jump")
    return [unless(first.test, more), ...first.body];
  if (more.length === 0 || first.completes) return [js.ifStatement(first.test, first.body, more)];
  return [js.ifStatement(first.test, first.body), ...more];
}

const unless = (test: JsExpression, body: Code): Statement => js.ifStatement(negate(test), body);

/** `while (true)`, or `do … while` if the only exit is at the end. */
function lowerLoop(loop: LoopItem, context: FunctionContext, jumps: JumpTargets): Code {
  const { label, body } = loop;
  const name = needsLabel(loop) ? context.names.fresh(camelCase(label)) : undefined;
  const labels = name === undefined ? jumps.labels : new Map([...jumps.labels, [label, name]]);
  const inner: JumpTargets = { loop: label, labels };
  const round = lowerRound(loop, context);
  const last = trailingExit(loop);
  const statement = ((): Statement => {
    if (!last) return js.whileStatement(js.literal(true), [...round, ...lowerBlock(body, context, inner)]);
    const begin = last.by.kind === "step" ? beginStep(last.by.step, context) : [];
    const test = testOf(last, 0, context);
    return {
      kind: "doWhile",
      body: [...round, ...lowerBlock(body.slice(0, -1), context, inner), ...begin],
      test: last.arms[0]!.length === 0 ? test : negate(test),
    };
  })();
  return [name === undefined ? statement : js.labeled(name, statement)];
}

/**
 * The branch at the end of a loop that only decides whether to repeat: the condition of `do … while`, which cannot see
 * variables of the body.
 */
export function trailingExit({ label, body }: LoopItem): BranchItem | undefined {
  const last = body.at(-1);
  if (last?.kind !== "branch" || last.arms.length !== 1 || !last.otherwise || jumpsTo(body, "continue", label))
    return undefined;
  const leaves = (block: StructuredBlock) =>
    block.length === 1 && block[0]!.kind === "break" && block[0]!.label === label;
  const [arm] = last.arms as readonly [StructuredBlock];
  const decides = (arm.length === 0 && leaves(last.otherwise)) || (leaves(arm) && last.otherwise.length === 0);
  return decides ? last : undefined;
}

function needsLabel({ label, body }: LoopItem): boolean {
  const within = (block: StructuredBlock, nested: boolean): boolean =>
    block.some((item) => {
      if (item.kind === "break" || item.kind === "continue") return nested && item.label === label;
      if (item.kind === "step") return item.handlers.some((handler) => within(handler, nested));
      if (item.kind === "branch") return [...item.arms, item.otherwise ?? []].some((arm) => within(arm, nested));
      if (item.kind === "loop") return within(item.body, true);
      return item.kind === "labeled" && within(item.body, nested);
    });
  return within(body, false);
}

function lowerLabeled({ label, body }: LabeledItem, context: FunctionContext, jumps: JumpTargets): Code {
  const name = context.names.fresh(camelCase(label), camelCase(`to ${label}`));
  const inner: JumpTargets = { ...jumps, labels: new Map([...jumps.labels, [label, name]]) };
  return [js.labeled(name, lowerBlock(body, context, inner))];
}

/** A checkpoint with the loop-carried variables: `({ data } = await flow.round("Ask", { data }));` */
function lowerRound({ label, body }: LoopItem, context: FunctionContext): Code {
  const steps = new Set(stepsIn(body));
  const [first] = body;
  const targets = first?.kind === "branch" && first.by.kind === "select" ? first.by.targets : undefined;
  const live = new Set((targets ?? [label]).flatMap((id) => context.webs.liveAt(id)));
  const carried = [...live].filter((web) => [...web.definitions].some((step) => steps.has(step)));
  const names = [...(targets ? ["aim"] : []), ...carried.flatMap((web) => context.variables.get(web.id)?.name ?? [])];
  const data = js.object(names.map((name) => js.property(name, js.name(name))));
  const name = js.literal(stepName(context, targets?.[0] ?? label));
  const round = js.awaitExpression(js.method(js.name("flow"), "round", [name, data]));
  return [names.length === 0 ? js.expressionStatement(round) : js.assign(js.membersPattern(names), round)];
}

/** Step ids, including those inside attempts. */
function stepsIn(block: StructuredBlock): readonly string[] {
  return block.flatMap((item): readonly string[] => {
    switch (item.kind) {
      case "step":
        return [
          item.step.id,
          ...(item.step.kind === "attempt" ? item.step.body.steps.map(({ id }) => id) : []),
          ...item.handlers.flatMap(stepsIn),
        ];
      case "branch":
        return [...item.arms, item.otherwise ?? []].flatMap(stepsIn);
      case "loop":
      case "labeled":
        return stepsIn(item.body);
      case "break":
      case "continue":
      case "select":
        return [];
      default:
        return assertNever(item);
    }
  });
}
