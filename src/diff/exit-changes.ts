import type { Property } from "./facts.ts";
import type { Matching } from "./match.ts";
import type { Detail, Value } from "./model.ts";
import { type Construct, type ConstructExit, describeConstruct } from "./outline.ts";
import { placeOf, reportValue } from "./places.ts";

/** The differences between the transitions of a construct and its counterpart. */
export function exitChanges(old: Construct, created: Construct, { counterparts }: Matching): readonly Detail[] {
  const left = new Set(old.exits);
  const right = new Set(created.exits);
  const details: Detail[] = [];
  const pair = (isAlike: (a: ConstructExit, b: ConstructExit) => boolean, report: PairReport): void => {
    for (const a of left) {
      const b = find(right, (each) => a.kind === each.kind && isAlike(a, each));
      if (!b) continue;
      left.delete(a);
      right.delete(b);
      details.push(...report(a, b));
    }
  };
  const leadsAlike = (a: ConstructExit, b: ConstructExit): boolean => counterparts.get(a.to) === b.to;
  pair(
    (a, b) => leadsAlike(a, b) && keyOf(a) === keyOf(b),
    () => [],
  );
  pair(
    (a, b) => keyOf(a) === keyOf(b),
    (a, b) => [targetChange(a, b, old, created)],
  );
  pair(leadsAlike, (a, b) => [conditionChange(a, b, old, created)]);
  const orders = [old, created].map(({ exits }) => exits.filter(({ kind }) => kind === "case").map(keyOf));
  if (details.length + left.size + right.size === 0 && orders[0]!.join("\n") !== orders[1]!.join("\n"))
    details.push({
      aspect: "condition",
      kind: "changed",
      text: "order of the conditions",
      old: { text: old.exits.flatMap(conditionText).join("; ") },
      new: { text: created.exits.flatMap(conditionText).join("; ") },
    });
  return [
    ...details,
    ...[...left].map((exit) => singleExit(exit, "removed", old)),
    ...[...right].map((exit) => singleExit(exit, "added", created)),
  ];
}

function find<T>(values: Iterable<T>, isWanted: (value: T) => boolean): T | undefined {
  for (const value of values) if (isWanted(value)) return value;
  return undefined;
}

type PairReport = (a: ConstructExit, b: ConstructExit) => readonly Detail[];

const keyOf = ({ conditions }: ConstructExit): string => [...new Set(conditions.map(({ key }) => key))].join("\n");

const conditionText = ({ label, conditions }: ConstructExit): readonly string[] =>
  label !== undefined ? [label.replaceAll("\n", " or ")] : conditions.map(({ text }) => text);

const targetChange = (a: ConstructExit, b: ConstructExit, old: Construct, created: Construct): Detail => ({
  aspect: "transition",
  kind: "changed",
  text: exitText(b),
  old: targetOf(a, old),
  new: targetOf(b, created),
});

const conditionChange = (a: ConstructExit, b: ConstructExit, old: Construct, created: Construct): Detail => ({
  aspect: "condition",
  kind: "changed",
  text: b.kind === "error" ? `errors that lead to ${targetText(b)}` : `condition for ${targetText(b)}`,
  ...differentTexts(a, b, old, created),
});

/** The conditions in the source's text, unless that is equal in both. Of several conditions, only those that differ. */
function differentTexts(
  a: ConstructExit,
  b: ConstructExit,
  old: Construct,
  created: Construct,
): { readonly old: Value; readonly new: Value } {
  const [before, after] = [conditionText(a).join(" or "), conditionText(b).join(" or ")];
  const printed = ({ conditions }: ConstructExit): string =>
    [...new Set(conditions.map(({ text, exact }) => exact ?? text))].join(" or ");
  const isSame = before === after;
  if (a.conditions.length > 1 && b.conditions.length > 1) {
    const [removed, added] = [without(a.conditions, b.conditions), without(b.conditions, a.conditions)];
    if (removed.length > 0 && added.length > 0)
      return { old: severalTexts(removed, old), new: severalTexts(added, created) };
  }
  return {
    old: { text: isSame ? printed(a) : before, ...at(a, old) },
    new: { text: isSame ? printed(b) : after, ...at(b, created) },
  };
}

function without(some: readonly Property[], others: readonly Property[]): readonly Property[] {
  const keys = new Set(others.map(({ key }) => key));
  return some.filter(({ key }) => !keys.has(key));
}

const severalTexts = (conditions: readonly Property[], owner: Construct): Value =>
  reportValue({ ...conditions[0]!, text: conditions.map(({ text }) => text).join(" or ") }, owner.span);

const singleExit = (exit: ConstructExit, kind: "added" | "removed", owner: Construct): Detail => ({
  aspect: "transition",
  kind,
  text: exitText(exit),
  [kind === "added" ? "new" : "old"]: targetOf(exit, owner),
});

function exitText(exit: ConstructExit): string {
  const condition = conditionText(exit).join(" or ");
  switch (exit.kind) {
    case "next":
      return "continues with";
    case "otherwise":
      return "otherwise";
    case "case":
      return `if ${condition}`;
    case "error":
      return `on ${/^error/i.test(condition) || condition === "" ? condition || "error" : `error ${condition}`}`;
    case "timeout":
      return `on ${/timeout/i.test(condition) ? condition : `timeout ${condition}`.trim()}`;
  }
}

const targetOf = (exit: ConstructExit, owner: Construct): Value => ({ text: targetText(exit), ...at(exit, owner) });

const targetText = ({ to }: ConstructExit): string =>
  to.noun !== undefined
    ? to.label
    : to.kind === "end"
      ? "the end"
      : to.kind === "fail"
        ? "failure"
        : describeConstruct(to);

function at({ conditions }: ConstructExit, { span }: Construct): Pick<Value, "at"> {
  const found = conditions[0]?.span ?? span;
  return found ? { at: placeOf(found) } : {};
}
