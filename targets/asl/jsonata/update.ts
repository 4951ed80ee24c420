import { type Expression, outputs, type Update } from "../../../src/expressions/index.ts";
import { isPlainName } from "./access.ts";
import { isFailure, sound } from "./caught.ts";
import { after, type Code, choice, code, lambda, whole } from "./code.ts";
import { each, value } from "./each.ts";
import { test } from "./logic.ts";
import { collect, existsText, fold, folded, type Mode, search, type Use } from "./modes.ts";
import { eachPath, eachPlace, wholeOf } from "./places.ts";
import { fresh, help, named, type Printer, refuse, withDot } from "./printer.ts";
import { stringText } from "./text.ts";

/** `P |= E`: as functions of what is at each step of the path where these are plain, else one place after the other. */
export function eachUpdate(expression: Update, printer: Printer, mode: Mode, use: Use): Code {
  const { path, value: made } = expression;
  const paths = path.kind === "comma" ? path.items : [path];
  const plans = paths.map(stepsOf);
  const isPlain = outputs(made) === "one" && plans.every((steps) => steps !== undefined) && areApart(plans as Steps[]);
  const isDefinite = isPlain && plans.every((steps) => steps!.every(({ kind }) => kind === "name"));
  if (isDefinite || (isPlain && !printer.caught)) return eachPlanned(plans as Steps[], made, printer, mode, use);
  const result = outputs(made) === "one" ? replaced(expression, printer) : replacedOrDeleted(expression, printer);
  return sound(result, printer, mode, use);
}

/** One step of a path that says by itself where it leads. */
type Step =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "items" }
  | { readonly kind: "where"; readonly condition: Expression };

type Steps = readonly Step[];

/** The steps of a path; undefined for one that has others. */
function stepsOf(path: Expression): Steps | undefined {
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
function areApart(plans: readonly Steps[]): boolean {
  if (plans.length === 1) return true;
  const names = plans.map(([first]) => (first?.kind === "name" ? first.name : undefined));
  return names.every((name) => name !== undefined) && new Set(names).size === names.length;
}

/** The value with all changes of several paths, one after the other. */
function eachPlanned(
  plans: readonly Steps[],
  made: Expression,
  printer: Printer,
  mode: Mode,
  use: Use,
  from = code(printer.dot),
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
  if (!step) return each(made, withDot(printer, from), mode, use);
  if (step.kind === "name") return changedMember(steps, from, made, printer, mode, use);
  const inner = (item: Code) => changed(steps.slice(1), item, made, printer, search, search.pass);
  if (step.kind === "items") {
    const item = fresh(printer, "item");
    return use(help(printer, "mapItems", from, code(lambda([item], inner(code(item))))));
  }
  return each(step.condition, withDot(printer, from), mode, (output) => {
    const { holds, negated } = test(step.condition, output);
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

/** What each place in turn makes of a total: `step` gives the new one. */
function foldPlaces(
  path: Expression,
  printer: Printer,
  total: string,
  initial: string,
  step: (keys: Code) => Code,
): Code {
  if (!printer.caught) {
    const places = eachPlace(path, wholeOf(printer), printer, fold(total), (place) =>
      named(place.path, printer, "path", step),
    );
    return after([`${total} := ${initial}`], places);
  }
  const box = fresh(printer, "box");
  const failure = code(`${box}.failure`);
  const body = choice(existsText(failure), failure, step(code(`${box}.value`)));
  const paths = eachPath(path, printer, collect, collect.pass);
  return folded(paths, [total, box], choice(isFailure(code(total)), code(total), body), code(initial));
}

/** Every place in turn; what is there is taken from the value as it is by then. */
function replaced({ path, value: made }: Update, printer: Printer): Code {
  const total = fresh(printer, "total");
  return foldPlaces(path, printer, total, printer.dot, (keys) =>
    eachThere(code(total), keys, printer, (item) =>
      each(made, withDot(printer, item), search, (output) => help(printer, "setPath", code(total), keys, output)),
    ),
  );
}

/** What is at a path in a total. */
const eachThere = (total: Code, keys: Code, printer: Printer, use: Use): Code =>
  sound(help(printer, "getPath", total, keys), printer, search, (before) => named(before, printer, "value", use));

/** The same where places are deleted for which E gives nothing. */
function replacedOrDeleted({ path, value: made }: Update, printer: Printer): Code {
  const total = fresh(printer, "total");
  const [before, gone] = [code(`${total}.value`), `${total}.gone`];
  const state = foldPlaces(path, printer, total, `{"value": ${printer.dot}, "gone": []}`, (keys) =>
    eachThere(before, keys, printer, (item) =>
      sound(value(made, withDot(printer, item)), printer, search, (output) =>
        named(output, printer, "new", (found) => {
          const set = (result: Code) => code(`{"value": ${whole(result)}, "gone": ${gone}}`);
          const changed = sound(help(printer, "setPath", before, keys, found), printer, search, set);
          return choice(
            existsText(found),
            changed,
            code(`{"value": ${before.text}, "gone": $append(${gone}, {"value": ${keys.text}})}`),
          );
        }),
      ),
    ),
  );
  return sound(state, printer, search, (made) =>
    named(made, printer, "state", ({ text }) =>
      help(printer, "withoutPaths", code(`${text}.value`), help(printer, "unbox", code(`${text}.gone`))),
    ),
  );
}
