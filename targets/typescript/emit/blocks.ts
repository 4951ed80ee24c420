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
import { camelCase } from "../../../src/readable/names.ts";
import { unread } from "./declarations.ts";
import { noWay } from "./ends.ts";
import { conditionAt, type Place } from "./place.ts";
import { asked, originComment, stepName, writeAct } from "./steps.ts";

/** The statements of a block. */
export function writeBlock(block: StructuredBlock, place: Place, around: Around = nowhere): Code {
  return block.flatMap((item) => writeItem(item, place, around));
}

/** What jumps can refer to: the loop that a bare `break` or `continue` is for, and the names of the labels around. */
export interface Around {
  readonly loop: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
}

const nowhere: Around = { loop: undefined, labels: new Map() };

function writeItem(item: StructuredItem, place: Place, around: Around): Code {
  switch (item.kind) {
    case "step":
      return writeAct(item, place, (block, inner) => writeBlock(block, inner, around));
    case "branch":
      return writeBranch(item, place, around);
    case "loop":
      return writeLoop(item, place, around);
    case "labeled":
      return writeLabelled(item, place, around);
    case "select":
      return [js.assign("aim", js.literal(item.target))];
    case "break":
    case "continue":
      return [jump(item, around)];
    default:
      return assertNever(item);
  }
}

function jump({ kind, label }: JumpItem, { loop, labels }: Around): Statement {
  const name = loop === label ? undefined : labels.get(label);
  return kind === "break" ? js.breakStatement(name) : js.continueStatement(name);
}

/** Ways that do nothing are left out: the others are then taken only where those are not. */
function writeBranch(branch: BranchItem, place: Place, around: Around): Code {
  const comment = branch.by.kind === "step" ? originComment(branch.by.step) : [];
  const otherwise = branch.otherwise ?? (branch.by.kind === "step" ? undefined : []);
  const ways = asked(branch.arms.map((_, i) => testOf(branch, i, place)));
  const always = ways.find(({ test }) => test === undefined);
  const last = always
    ? writeBlock(branch.arms[always.index]!, place, around)
    : otherwise
      ? writeBlock(otherwise, place, around)
      : noWay(branch);
  const cases = ways.flatMap(({ test, index }) => {
    const way = branch.arms[index]!;
    const mayFail = branch.by.kind === "step" && canFail(simplify(branch.by.step.cases[index]!.when));
    return test ? [{ test, mayFail, body: writeBlock(way, place, around), completes: mayFallThrough(way) }] : [];
  });
  return [...comment, ...chain(joined(cases), last)];
}

interface Case {
  readonly test: JsExpression;
  /** Whether asking may fail: it is then asked also where nothing depends on it. */
  readonly mayFail: boolean;
  readonly body: Code;
  /** Whether control goes on behind it. */
  readonly completes: boolean;
}

function testOf({ by }: BranchItem, index: number, place: Place): JsExpression {
  if (by.kind === "select") return js.binary(js.name("aim"), "===", js.literal(by.targets[index]!));
  return conditionAt(place, by.step.id, by.step.cases[index]!.when).code;
}

/** Cases that do the same one after the other, as one. */
function joined(cases: readonly Case[]): readonly Case[] {
  const result: Case[] = [];
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

/** `if (a) { … } else if (b) { … } else { … }`, without the `else` where a way does not go on. */
function chain(cases: readonly Case[], last: Code): Code {
  const [first, ...rest] = cases;
  if (!first) return last;
  if (first.body.length === 0) {
    const more = chain(rest, last);
    if (more.length > 0) return [unless(first.test, more)];
    return first.mayFail ? [unread(first.test)] : [];
  }
  const more = chain(rest, last);
  if (isPure(first.test) && equalNodes(first.body, more)) return more;
  const end = first.body.at(-1)!;
  if (first.body.length > 1 && more.length === 1 && end.kind === "jump" && equalNodes(end, more[0]))
    return [js.ifStatement(first.test, first.body.slice(0, -1)), ...more];
  if (more.length === 0 || first.completes) return [js.ifStatement(first.test, first.body, more)];
  return [js.ifStatement(first.test, first.body), ...more];
}

const unless = (test: JsExpression, body: Code): Statement => js.ifStatement(negate(test), body);

/** A loop: `while` or `do` with a condition where it is left only at its beginning or end. */
function writeLoop(loop: LoopItem, place: Place, around: Around): Code {
  const { label, body } = loop;
  const name = needsLabel(loop) ? place.names.fresh(camelCase(label)) : undefined;
  const labels = name === undefined ? around.labels : new Map([...around.labels, [label, name]]);
  const inner: Around = { loop: label, labels };
  const round = roundOf(loop, place);
  const last = exitOf(loop);
  const statement = ((): Statement => {
    if (!last) return js.whileStatement(js.literal(true), [...round, ...writeBlock(body, place, inner)]);
    const comment = last.by.kind === "step" ? originComment(last.by.step) : [];
    const test = testOf(last, 0, place);
    return {
      kind: "doWhile",
      body: [...round, ...writeBlock(body.slice(0, -1), place, inner), ...comment],
      test: last.arms[0]!.length === 0 ? test : negate(test),
    };
  })();
  return [name === undefined ? statement : js.labeled(name, statement)];
}

/** The branch at the end of a loop that does nothing but decide whether it goes on: it becomes the condition of `do … while`, which sees nothing of the body. */
export function exitOf({ label, body }: LoopItem): BranchItem | undefined {
  const last = body.at(-1);
  if (last?.kind !== "branch" || last.arms.length !== 1 || !last.otherwise || jumpsTo(body, "continue", label))
    return undefined;
  const leaves = (block: StructuredBlock) =>
    block.length === 1 && block[0]!.kind === "break" && block[0]!.label === label;
  const [way] = last.arms as readonly [StructuredBlock];
  const decides = (way.length === 0 && leaves(last.otherwise)) || (leaves(way) && last.otherwise.length === 0);
  return decides ? last : undefined;
}

/** Whether a jump to a loop comes from within another one. */
function needsLabel({ label, body }: LoopItem): boolean {
  const within = (block: StructuredBlock, nested: boolean): boolean =>
    block.some((item) => {
      if (item.kind === "break" || item.kind === "continue") return nested && item.label === label;
      if (item.kind === "step") return item.handlers.some((handler) => within(handler, nested));
      if (item.kind === "branch") return [...item.arms, item.otherwise ?? []].some((way) => within(way, nested));
      if (item.kind === "loop") return within(item.body, true);
      return item.kind === "labeled" && within(item.body, nested);
    });
  return within(body, false);
}

function writeLabelled({ label, body }: LabeledItem, place: Place, around: Around): Code {
  const name = place.names.fresh(camelCase(label), camelCase(`to ${label}`));
  const inner: Around = { ...around, labels: new Map([...around.labels, [label, name]]) };
  return [js.labeled(name, writeBlock(body, place, inner))];
}

/** The beginning of a round of a loop, with what goes on from one round to the next: `({ data } = await flow.round("Ask", { data }));` */
function roundOf({ label, body }: LoopItem, place: Place): Code {
  const steps = new Set(stepsIn(body));
  const [first] = body;
  const targets = first?.kind === "branch" && first.by.kind === "select" ? first.by.targets : undefined;
  const live = new Set((targets ?? [label]).flatMap((id) => place.webs.liveAt(id)));
  const carried = [...live].filter((web) => [...web.definitions].some((step) => steps.has(step)));
  const names = [...(targets ? ["aim"] : []), ...carried.flatMap((web) => place.variables.get(web.id)?.name ?? [])];
  const data = js.object(names.map((name) => js.property(name, js.name(name))));
  const name = js.literal(stepName(place, targets?.[0] ?? label));
  const round = js.awaitExpression(js.method(js.name("flow"), "round", [name, data]));
  return [names.length === 0 ? js.expressionStatement(round) : js.assign(js.membersPattern(names), round)];
}

/** The ids of the steps of a block, those of attempts in it included. */
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
