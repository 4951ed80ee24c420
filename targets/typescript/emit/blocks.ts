import {
  type Block,
  type Branch,
  completes,
  type Item,
  type Jump,
  jumpsTo,
  type Labelled,
  type Loop,
} from "../../../src/flow/index.ts";
import { level, type Written, inside as within } from "../expressions/written.ts";
import { writeAct } from "./acts.ts";
import { oneLine } from "./comments.ts";
import { noWay } from "./ends.ts";
import { camelCase } from "./names.ts";
import { conditionAt, type Place } from "./place.ts";
import { roundLine } from "./rounds.ts";

/** The lines of a block. */
export function writeBlock(block: Block, place: Place, around: Around = nowhere): readonly string[] {
  return block.flatMap((item) => writeItem(item, place, around));
}

/** What jumps can refer to: the loop that a bare `break` or `continue` is for, and the names of the labels around. */
export interface Around {
  readonly loop: string | undefined;
  readonly labels: ReadonlyMap<string, string>;
}

const nowhere: Around = { loop: undefined, labels: new Map() };

function writeItem(item: Item, place: Place, around: Around): readonly string[] {
  switch (item.kind) {
    case "act":
      return writeAct(item, place, (block, inner) => writeBlock(block, inner, around));
    case "branch":
      return writeBranch(item, place, around);
    case "loop":
      return writeLoop(item, place, around);
    case "labelled":
      return writeLabelled(item, place, around);
    case "aim":
      return [`aim = ${JSON.stringify(item.target)};`];
    default:
      return [jumpText(item, around)];
  }
}

function jumpText({ kind, label }: Jump, { loop, labels }: Around): string {
  const word = kind === "leave" ? "break" : "continue";
  return loop === label ? `${word};` : `${word} ${labels.get(label)};`;
}

/** Ways that do nothing are left out: the others are then taken only where those are not. */
function writeBranch(written: Branch, place: Place, around: Around): readonly string[] {
  const branch = withoutUnreachable(written);
  const comment = branch.by.kind === "step" ? originComment(branch.by.step) : [];
  const otherwise = branch.otherwise ?? (branch.by.kind === "step" ? undefined : []);
  const last = otherwise ? writeBlock(otherwise, place, around) : noWay(branch, place);
  const cases = joined(
    branch.ways.map((way, i) => ({
      test: testOf(branch, i, place),
      lines: writeBlock(way, place, around),
      block: way,
    })),
  );
  return [...comment, ...chain(cases, last)];
}

/** A case that always holds is what is done otherwise, and those after it are never asked. */
function withoutUnreachable(branch: Branch): Branch {
  const { by, ways } = branch;
  const always =
    by.kind === "step" ? by.step.cases.findIndex(({ when }) => when.kind === "literal" && when.value === true) : -1;
  return always < 0 ? branch : { ...branch, ways: ways.slice(0, always), otherwise: ways[always] };
}

interface Case {
  readonly test: Written;
  readonly lines: readonly string[];
  readonly block: Block;
}

function testOf({ by }: Branch, index: number, place: Place): Written {
  if (by.kind === "aim")
    return { text: `aim === ${JSON.stringify(by.targets[index])}`, level: level.equality, type: "boolean" };
  return conditionAt(place, by.step.id, by.step.cases[index]!.when);
}

/** Cases that do the same one after the other, as one. */
function joined(cases: readonly Case[]): readonly Case[] {
  const result: Case[] = [];
  for (const each of cases) {
    const before = result.at(-1);
    if (before && before.lines.join("\n") === each.lines.join("\n"))
      result[result.length - 1] = { ...before, test: either(before.test, each.test) };
    else result.push(each);
  }
  return result;
}

const either = (a: Written, b: Written): Written => ({
  text: `${within(a, level.or)} || ${within(b, level.or)}`,
  level: level.or,
  type: "boolean",
});

function chain(cases: readonly Case[], last: readonly string[]): readonly string[] {
  const [first, ...rest] = cases;
  if (!first) return last;
  if (first.lines.length === 0)
    return rest.length === 0 && last.length === 0 ? [] : [`if (${negated(first.test)}) {`, ...chain(rest, last), "}"];
  const more = chain(rest, last);
  if (!first.test.text.includes("(") && first.lines.join("\n") === more.join("\n")) return more;
  const jumps =
    first.lines.length > 1 &&
    more.length === 1 &&
    first.lines.at(-1) === more[0] &&
    /^(?:break|continue)\b/.test(more[0]!);
  if (jumps) return [`if (${first.test.text}) {`, ...first.lines.slice(0, -1), "}", ...more];
  const head = [`if (${first.test.text}) {`, ...first.lines];
  if (more.length === 0) return [...head, "}"];
  if (!completes(first.block)) return [...head, "}", ...more];
  return more[0]?.startsWith("if (") && isOneStatement(more)
    ? [...head, `} else ${more[0]}`, ...more.slice(1)]
    : [...head, "} else {", ...more, "}"];
}

/** Whether lines that begin with an `if` are nothing but that. */
function isOneStatement(lines: readonly string[]): boolean {
  let depth = 0;
  for (const [i, line] of lines.entries()) {
    for (const brace of line.replace(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "").match(/[{}]/g) ?? [])
      depth += brace === "{" ? 1 : -1;
    if (depth === 0 && i < lines.length - 1 && !lines[i]!.endsWith("else {")) return false;
  }
  return true;
}

/** The opposite of a condition. */
export function negated(test: Written): string {
  const equality = /^([\w$.?]+) (===|!==) ("(?:[^"\\]|\\.)*"|[\w$.?-]+)$/.exec(test.text);
  if (equality) return `${equality[1]} ${equality[2] === "===" ? "!==" : "==="} ${equality[3]}`;
  return test.text.startsWith("!") && test.level >= level.unary ? test.text.slice(1) : `!${within(test, level.unary)}`;
}

/** A loop: `while` or `do` with a condition where it is left only at its beginning or end. */
function writeLoop(loop: Loop, place: Place, around: Around): readonly string[] {
  const { label, body } = loop;
  const name = needsLabel(loop) ? place.names.fresh(camelCase(label)) : undefined;
  const inner: Around = {
    loop: label,
    labels: name === undefined ? around.labels : new Map([...around.labels, [label, name]]),
  };
  const mark = name === undefined ? "" : `${name}: `;
  const round = roundLine(loop, place);
  const last = body.at(-1);
  const test = last?.kind === "branch" && !jumpsTo(body, "again", label) ? exitTest(last, label, place) : undefined;
  if (last?.kind === "branch" && test !== undefined) {
    const comment = last.by.kind === "step" ? originComment(last.by.step) : [];
    return [`${mark}do {`, ...round, ...writeBlock(body.slice(0, -1), place, inner), ...comment, `} while (${test});`];
  }
  return [`${mark}while (true) {`, ...round, ...writeBlock(body, place, inner), "}"];
}

/** The condition to go on with a loop, where a branch at its end does nothing but decide that. */
function exitTest(branch: Branch, label: string, place: Place): string | undefined {
  const leaves = (block: Block | undefined) =>
    block?.length === 1 && block[0]!.kind === "leave" && block[0]!.label === label;
  const { ways, otherwise } = branch;
  if (ways.length !== 1 || !otherwise) return undefined;
  const test = () => testOf(branch, 0, place);
  if (ways[0]!.length === 0 && leaves(otherwise)) return test().text;
  return leaves(ways[0]) && otherwise.length === 0 ? negated(test()) : undefined;
}

/** Whether a jump to a loop comes from within another one. */
function needsLabel({ label, body }: Loop): boolean {
  const within = (block: Block, nested: boolean): boolean =>
    block.some((item) => {
      if (item.kind === "leave" || item.kind === "again") return nested && item.label === label;
      if (item.kind === "act") return item.handlers.some((handler) => within(handler, nested));
      if (item.kind === "branch") return [...item.ways, item.otherwise ?? []].some((way) => within(way, nested));
      if (item.kind === "loop") return within(item.body, true);
      return item.kind === "labelled" && within(item.body, nested);
    });
  return within(body, false);
}

function writeLabelled({ label, body }: Labelled, place: Place, around: Around): readonly string[] {
  const name = place.names.fresh(camelCase(label), camelCase(`to ${label}`));
  const inner: Around = { ...around, labels: new Map([...around.labels, [label, name]]) };
  return [`${name}: {`, ...writeBlock(body, place, inner), "}"];
}

/** Where a step comes from, where a construct of the definition begins. */
export const originComment = ({
  origin,
}: {
  readonly origin: { readonly noun: string; readonly name: string; readonly entry: boolean };
}): readonly string[] => (origin.entry ? [`// ${oneLine(origin.name)} (${origin.noun})`] : []);
