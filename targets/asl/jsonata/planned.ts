import { canFail, type Expression, factsOf, outputs } from "../../../src/expressions/index.ts";
import { isPlainName } from "./access.ts";
import { type Code, choice, code, lambda, referenceCode, stringText } from "./code.ts";
import { fresh, help, type Mode, named, type Printer, refuse, type Use, withDot } from "./context.ts";
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
  from = printer.dot,
): Code {
  const [steps, ...rest] = plans;
  if (!steps) return use(from);
  return changed(steps, from, made, printer, mode, (result) =>
    rest.length === 0
      ? use(result)
      : named(result, printer, "changed", (item) => eachPlanned(rest, made, printer, mode, use, item)),
  );
}

/** A value with what E makes of what is at the end of the steps. */
function changed(steps: Steps, from: Code, made: Expression, printer: Printer, mode: Mode, use: Use): Code {
  const [step] = steps;
  if (!step) return eachOutput(made, withDot(printer, from), mode, use);
  if (step.kind === "name") return changedMember(steps, from, made, printer, mode, use);
  const inner = (item: Code) => changed(steps.slice(1), item, made, printer, search, search.pass);
  if (step.kind === "items") {
    const item = fresh(printer, "item");
    return use(help(printer, "mapItems", from, code(lambda([item], inner(referenceCode(item))))));
  }
  return eachOutput(step.condition, withDot(printer, from), mode, (output) => {
    const { holds, negated } = test(step.condition, output, withDot(printer, from));
    const [yes, no] = [inner(from), from];
    return use(negated ? choice(holds, no, yes) : choice(holds, yes, no));
  });
}

function changedMember(steps: Steps, from: Code, made: Expression, printer: Printer, mode: Mode, use: Use): Code {
  const end = steps.findIndex(({ kind }) => kind !== "name");
  const names = steps
    .slice(0, end < 0 ? steps.length : end)
    .map((step) => (step.kind === "name" ? stringText(step.name) : ""));
  const path = names.length === 1 ? names[0]! : `[${names.join(", ")}]`;
  if (steps.length === 1 && !factsOf(made).usesInput && !canFail(made))
    return eachOutput(made, printer, mode, (after) =>
      sound(help(printer, "putMember", from, code(path), after), printer, mode, use),
    );
  const found = help(printer, names.length === 1 ? "memberOf" : "memberAt", from, code(path));
  return sound(found, printer, mode, (before) =>
    named(before, printer, "value", (item) =>
      changed(steps.slice(names.length), item, made, printer, mode, (after) =>
        use(
          names.length === 1
            ? help(printer, "withMember", from, code(path), after)
            : help(printer, "setAt", from, code(path), after),
        ),
      ),
    ),
  );
}
