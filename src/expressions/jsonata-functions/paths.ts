import type { Json, JsonObject } from "../../json.ts";
import { isArray, isFunctionLike, isNumeric, lookup, single, truthy, type Value } from "./values.ts";

/**
 * A step of a path: the member of a name, the element at an index, the elements that a condition holds for, or what a
 * function gives for each element.
 */
export type Step = string | number | Where | ((item: Value) => Value);

/** Selects elements by a condition, or by the numbers that it gives as indexes: `E[condition]`. */
export interface Where {
  readonly where: (item: Value) => Value;
}

/** `E[condition]` */
export const where = (condition: (item: Value) => Value): Where => ({ where: condition });

/** `E.{…}`, whose members are evaluated once for an array of items. */
export const objects =
  (build: (item: Value) => Value) =>
  (item: Value): Value =>
    build(isArray(item) ? joined(item) : item);

const joined = (items: readonly Json[]): Value =>
  items.length === 0 ? undefined : items.reduce((all, item) => [all, item].flat());

/** `E.*`: the members of an object, in one list. */
export function members(item: Value): Value {
  if (typeof item !== "object" || item === null || isFunctionLike(item)) return undefined;
  const values = Object.values<Json>(item as JsonObject);
  const all = values.flatMap((value) => (isArray(value) ? flattened(value) : [value]));
  return values.some(isArray) ? all : single(all);
}

const flattened = (list: readonly Json[]): readonly Json[] =>
  list.flatMap((item) => (isArray(item) ? flattened(item) : [item]));

/**
 * What a path selects: `path(order, "lines", 0, "price")` is `$order.lines[0].price`. Each step is taken for all items
 * that the step before selected. Returns nothing, a single item, or an array.
 */
export function path(value: Value, ...steps: readonly Step[]): Value {
  const { items, isList } = select(value, steps);
  return isList ? (items as readonly Json[]) : single(items);
}

/** The same, where a single item stays in an array: `E[]`. */
export function pathList(value: Value, ...steps: readonly Step[]): readonly Json[] | undefined {
  const { items, isList } = select(value, steps);
  return isList || items.length > 0 ? items.map((item) => item ?? null) : undefined;
}

/** Selected items. `isList`: they are an array of the data, which stays one whatever its length. */
interface Selection {
  readonly items: readonly Value[];
  readonly isList: boolean;
}

function select(value: Value, steps: readonly Step[]): Selection {
  const ends = steps.map(isStage).indexOf(false);
  const leading = ends === -1 ? steps : steps.slice(0, ends);
  let found = leading.length === 0 ? wholeOf(value) : filtered(value, leading as readonly Stage[]);
  if (ends === -1) return found;
  for (let i = ends; i < steps.length; ) {
    const step = steps[i] as MapStep;
    const stages: Stage[] = [];
    for (i += 1; i < steps.length && isStage(steps[i]!); i += 1) stages.push(steps[i] as Stage);
    const parts = found.items.flatMap((item) => {
      const part = typeof step === "string" ? lookup(item, step) : step(item);
      if (stages.length > 0) return [filtered(part, stages)];
      return part === undefined ? [] : [wholeOf(part)];
    });
    const [first] = parts;
    if (i === steps.length && parts.length === 1 && first!.isList) return first!;
    found = { items: parts.flatMap(({ items }) => items), isList: false };
  }
  return found;
}

type Stage = number | Where;

type MapStep = Exclude<Step, Stage>;

const isStage = (step: Step): step is Stage => typeof step === "number" || typeof step === "object";

function wholeOf(value: Value): Selection {
  if (value === undefined) return { items: [], isList: false };
  return isArray(value) ? { items: value, isList: true } : { items: [value], isList: false };
}

function filtered(value: Value, stages: readonly Stage[]): Selection {
  let found: Selection = { items: isArray(value) ? value : [value], isList: false };
  for (const stage of stages)
    found = typeof stage === "number" ? elementAt(found.items, stage) : selected(found.items, stage);
  return found;
}

const elementAt = (items: readonly Value[], index: number): Selection => wholeOf(items[indexIn(items, index)]);

/** Rounded down, from the end if negative. */
function indexIn({ length }: readonly Value[], index: number): number {
  const whole = Math.floor(index);
  return whole < 0 ? length + whole : whole;
}

function selected(items: readonly Value[], { where: condition }: Where): Selection {
  const found = items.flatMap((item, i) => {
    const result = condition(item);
    const indexes = isNumeric(result) ? [result] : isArray(result) && result.every(isNumeric) ? result : undefined;
    const times = indexes
      ? indexes.filter((index) => indexIn(items, index as number) === i).length
      : Number(truthy(result));
    return Array.from({ length: times }, () => item);
  });
  return { items: found, isList: false };
}
