import { canFail, type Expression, factsOf, outputs } from "../../../src/expressions/index.ts";
import { any, anyObject, childOf, memberOf, nullShape, type Shape, union } from "../../../src/types/index.ts";
import { isPlainName, memberText } from "./access.ts";
import { type Code, choice, code, lambda, objectCode, referenceCode, stringText } from "./code.ts";
import { fresh, help, isAlways, type Mode, named, type Printer, refuse, type Use, withDot } from "./context.ts";
import { merged } from "./functions/merging.ts";
import { search, sound } from "./outputs.ts";
import { eachOutput, test } from "./printer.ts";

/** A path whose steps each say by themselves where they lead. */
export type Steps = readonly Step[];

/** One step of a path that says by itself where it leads. */
type Step =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "items" }
  | { readonly kind: "where"; readonly condition: Expression };

/** The steps of a path; undefined for one that has others. */
export function stepsOf(path: Expression): Steps | undefined {
  switch (path.kind) {
    case "identity":
      return [];
    case "access": {
      const { key } = path;
      if (path.optional || key.kind !== "literal" || typeof key.value !== "string") return undefined;
      if (key.value === "__proto__") return refuse("a place named `__proto__`", path);
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

const joinedSteps = (first: Steps | undefined, second: Steps | undefined): Steps | undefined =>
  first && second && [...first, ...second];

/** Whether several paths begin with different names, so that a change at one does not matter to another. */
export function areApart(plans: readonly Steps[]): boolean {
  if (plans.length === 1) return true;
  const names = plans.map(([first]) => (first?.kind === "name" ? first.name : undefined));
  return names.every((name) => name !== undefined) && new Set(names).size === names.length;
}

/** The value with all changes of several paths, one after the other. */
export function eachPlanned(
  plans: readonly Steps[],
  made: Expression,
  printer: Printer,
  mode: Mode,
  use: Use,
  from: Known = { code: printer.dot, shape: printer.dotShape },
): Code {
  const [steps, ...rest] = plans;
  if (!steps) return use(from.code);
  const shape = isAlways(from.shape, "object") ? anyObject : any;
  return changed(steps, from, made, printer, mode, (result) =>
    rest.length === 0
      ? use(result)
      : named(result, printer, "changed", (code) => eachPlanned(rest, made, printer, mode, use, { code, shape })),
  );
}

/** A value, and what is known of it. */
interface Known {
  readonly code: Code;
  readonly shape: Shape;
}

/** A value with what E makes of what is at the end of the steps. */
function changed(
  steps: Steps,
  { code: from, shape }: Known,
  made: Expression,
  printer: Printer,
  mode: Mode,
  use: Use,
): Code {
  const [step] = steps;
  if (!step) return eachOutput(made, withDot(printer, from, shape), mode, use);
  if (step.kind === "name") return changedMember(steps, { code: from, shape }, made, printer, mode, use);
  const inner = (item: Code, within: Shape) =>
    changed(steps.slice(1), { code: item, shape: within }, made, printer, search, search.pass);
  if (step.kind === "items") {
    const item = fresh(printer, "item");
    return use(help(printer, "mapItems", from, code(lambda([item], inner(referenceCode(item), childOf(shape))))));
  }
  const asked = withDot(printer, from, shape);
  return eachOutput(step.condition, asked, mode, (output) => {
    const { holds, negated } = test(step.condition, output, asked);
    const [yes, no] = [inner(from, shape), from];
    return use(negated ? choice(holds, no, yes) : choice(holds, yes, no));
  });
}

function changedMember(
  steps: Steps,
  { code: from, shape }: Known,
  made: Expression,
  printer: Printer,
  mode: Mode,
  use: Use,
): Code {
  const end = steps.findIndex(({ kind }) => kind !== "name");
  const names = steps.slice(0, end < 0 ? steps.length : end).flatMap((step) => (step.kind === "name" ? step.name : []));
  const [name, ...deeper] = names as [string, ...string[]];
  const path = deeper.length === 0 ? stringText(name) : `[${names.map(stringText).join(", ")}]`;
  const isObject = isAlways(shape, "object");
  const withMember = (item: Code): Code => merged(from, objectCode([[name, item]]));
  if (steps.length === 1 && !factsOf(made).usesInput && !canFail(made))
    return eachOutput(made, printer, mode, (after) =>
      isObject
        ? use(withMember(after))
        : sound(help(printer, "putMember", from, code(path), after), printer, mode, use),
    );
  const known = memberText(from, names, shape, printer);
  const found = known ?? help(printer, deeper.length === 0 ? "memberOf" : "memberAt", from, code(path));
  const there = names.reduce((within, key) => orNull(memberOf(within, key)), shape);
  return sound(found, printer, mode, (before) =>
    named(before, printer, "value", (item) =>
      changed(steps.slice(names.length), { code: item, shape: there }, made, printer, mode, (after) => {
        if (deeper.length > 0) return use(help(printer, "setAt", from, code(path), after));
        return use(isObject ? withMember(after) : help(printer, "withMember", from, code(path), after));
      }),
    ),
  );
}

/** What is where a member is looked for: null where there is none. */
const orNull = ({ shape, presence }: ReturnType<typeof memberOf>): Shape =>
  presence === "always" ? shape : union(shape, nullShape);
