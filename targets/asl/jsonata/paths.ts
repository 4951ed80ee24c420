import { canFail, type Expression, effectsOf, outputs } from "../../../src/expressions/index.ts";
import { any, anyObject, childOf, memberOf, nullType, type Type, union } from "../../../src/types/index.ts";
import { isPlainName, memberCode } from "./access.ts";
import { type Code, code, lambda, objectCode, referenceCode, stringText, ternary } from "./code.ts";
import {
  bindName,
  callHelper,
  freshName,
  isAlways,
  type JsonataPrinter,
  type Mode,
  type OutputContinuation,
  reject,
  withDot,
} from "./context.ts";
import { mergeObjects } from "./functions/merging.ts";
import { search, unlessFailure } from "./outputs.ts";
import { eachOutput, truthTest } from "./printer.ts";

/** A path whose every step names its target statically. */
export type StaticPath = readonly StaticStep[];

type StaticStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "items" }
  | { readonly kind: "where"; readonly condition: Expression };

/** A path's steps; undefined if some are not static. */
export function stepsOf(path: Expression): StaticPath | undefined {
  switch (path.kind) {
    case "identity":
      return [];
    case "access": {
      const { key } = path;
      if (path.optional || key.kind !== "literal" || typeof key.value !== "string") return undefined;
      if (key.value === "__proto__") return reject("a path through `__proto__`", path);
      return !isPlainName(key.value)
        ? undefined
        : joinedSteps(stepsOf(path.source), [{ kind: "name", name: key.value }]);
    }
    case "iterate":
      return path.optional ? undefined : joinedSteps(stepsOf(path.source), [{ kind: "items" }]);
    case "pipe":
      return joinedSteps(stepsOf(path.left), stepsOf(path.right));
    case "if": {
      const { condition, then, otherwise } = path;
      const isFilter =
        then.kind === "identity" &&
        otherwise.kind === "comma" &&
        otherwise.items.length === 0 &&
        outputs(condition) === "one";
      return isFilter ? [{ kind: "where", condition }] : undefined;
    }
    default:
      return undefined;
  }
}

const joinedSteps = (first: StaticPath | undefined, second: StaticPath | undefined): StaticPath | undefined =>
  first && second && [...first, ...second];

/** Whether paths begin with different names, so that their updates are independent. */
export function areDisjoint(plans: readonly StaticPath[]): boolean {
  if (plans.length === 1) return true;
  const names = plans.map(([first]) => (first?.kind === "name" ? first.name : undefined));
  return names.every((name) => name !== undefined) && new Set(names).size === names.length;
}

/** Applies an update at several paths, in order. */
export function eachPathUpdate(
  plans: readonly StaticPath[],
  replacement: Expression,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
  from: TypedCode = { code: printer.dot, type: printer.dotType },
): Code {
  const [steps, ...rest] = plans;
  if (!steps) return use(from.code);
  const type = isAlways(from.type, "object") ? anyObject : any;
  return updateAt(steps, from, replacement, printer, mode, (result) =>
    rest.length === 0
      ? use(result)
      : bindName(result, printer, "changed", (code) =>
          eachPathUpdate(rest, replacement, printer, mode, use, { code, type }),
        ),
  );
}

interface TypedCode {
  readonly code: Code;
  readonly type: Type;
}

function updateAt(
  steps: StaticPath,
  { code: from, type }: TypedCode,
  replacement: Expression,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  const [step] = steps;
  if (!step) return eachOutput(replacement, withDot(printer, from, type), mode, use);
  if (step.kind === "name") return updateMember(steps, { code: from, type }, replacement, printer, mode, use);
  const inner = (item: Code, within: Type) =>
    updateAt(steps.slice(1), { code: item, type: within }, replacement, printer, search, search.pass);
  if (step.kind === "items") {
    const item = freshName(printer, "item");
    return use(callHelper(printer, "mapItems", from, code(lambda([item], inner(referenceCode(item), childOf(type))))));
  }
  const atStep = withDot(printer, from, type);
  return eachOutput(step.condition, atStep, mode, (output) => {
    const { holds, negated } = truthTest(step.condition, output, atStep);
    const [yes, no] = [inner(from, type), from];
    return use(negated ? ternary(holds, no, yes) : ternary(holds, yes, no));
  });
}

function updateMember(
  steps: StaticPath,
  { code: from, type }: TypedCode,
  replacement: Expression,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  const end = steps.findIndex(({ kind }) => kind !== "name");
  const names = steps.slice(0, end < 0 ? steps.length : end).flatMap((step) => (step.kind === "name" ? step.name : []));
  const [name, ...deeper] = names as [string, ...string[]];
  const path = deeper.length === 0 ? stringText(name) : `[${names.map(stringText).join(", ")}]`;
  const isObject = isAlways(type, "object");
  const withMember = (item: Code): Code => mergeObjects(from, objectCode([[name, item]]));
  if (steps.length === 1 && !effectsOf(replacement).usesInput && !canFail(replacement))
    return eachOutput(replacement, printer, mode, (after) =>
      isObject
        ? use(withMember(after))
        : unlessFailure(callHelper(printer, "putMember", from, code(path), after), printer, mode, use),
    );
  const known = memberCode(from, names, type, printer);
  const found = known ?? callHelper(printer, deeper.length === 0 ? "memberOf" : "memberAt", from, code(path));
  const there = names.reduce((within, key) => memberOrNull(memberOf(within, key)), type);
  return unlessFailure(found, printer, mode, (before) =>
    bindName(before, printer, "value", (item) =>
      updateAt(steps.slice(names.length), { code: item, type: there }, replacement, printer, mode, (after) => {
        if (deeper.length > 0) return use(callHelper(printer, "setAt", from, code(path), after));
        return use(isObject ? withMember(after) : callHelper(printer, "withMember", from, code(path), after));
      }),
    ),
  );
}

const memberOrNull = ({ type, presence }: ReturnType<typeof memberOf>): Type =>
  presence === "always" ? type : union(type, nullType);
