import {
  type Access,
  type Alternative,
  type Conditional,
  type Expression,
  type Iterate,
  isTakenApart,
  outputs,
  type Pipe,
  type Update,
} from "../../../src/expressions/index.ts";
import { taken } from "./access.ts";
import {
  after,
  bracketed,
  type Code,
  choice,
  code,
  emptyList,
  infix,
  precedence,
  referenceCode,
  whole,
} from "./code.ts";
import {
  countCopy,
  fresh,
  help,
  type Mode,
  mayBe,
  named,
  type Printer,
  refuse,
  shapeIn,
  type Use,
  withBound,
  withDot,
} from "./context.ts";
import { catching, collect, eachSound, existsText, fold, folded, isFailure, joined, search, sound } from "./outputs.ts";
import { areApart, eachPlanned, type Steps, stepsOf } from "./paths.ts";
import { chosen, eachOutput, firstOutput, test } from "./printer.ts";

/**
 * `.a |= 1` → `$withMember($states.input, "a", 1)`, `.[] |= . + 1` →
 * `$mapItems($states.input, function($item) { $add($item, 1) })`: as functions of what is at each step of the path
 * where these are plain, else one place after the other.
 */
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

/** What each place in turn makes of a total: `step` gives the new one. */
function foldPlaces(
  path: Expression,
  printer: Printer,
  total: string,
  initial: string,
  step: (keys: Code) => Code,
): Code {
  if (!printer.caught) {
    const places = eachLocated(path, wholeOf(printer), printer, fold(total), (place) =>
      named(place.path, printer, "path", step),
    );
    return after([`${total} := ${initial}`], places);
  }
  const box = fresh(printer, "box");
  const failure = referenceCode(`${box}.failure`);
  const body = choice(existsText(failure), failure, step(referenceCode(`${box}.value`)));
  const paths = eachPath(path, printer, collect, collect.pass);
  return folded(
    paths,
    [total, box],
    choice(isFailure(referenceCode(total)), referenceCode(total), body),
    code(initial),
  );
}

/** Every place in turn; what is there is taken from the value as it is by then. */
function replaced({ path, value: made }: Update, printer: Printer): Code {
  const total = fresh(printer, "total");
  return foldPlaces(path, printer, total, printer.dot.text, (keys) =>
    eachThere(referenceCode(total), keys, printer, (item) =>
      eachOutput(made, withDot(printer, item), search, (output) =>
        help(printer, "setPath", referenceCode(total), keys, output),
      ),
    ),
  );
}

/** What is at a path in a total. */
const eachThere = (total: Code, keys: Code, printer: Printer, use: Use): Code =>
  sound(help(printer, "getPath", total, keys), printer, search, (before) => named(before, printer, "value", use));

/** The same where places are deleted for which E gives nothing. */
function replacedOrDeleted({ path, value: made }: Update, printer: Printer): Code {
  const total = fresh(printer, "total");
  const [before, gone] = [referenceCode(`${total}.value`), `${total}.gone`];
  const state = foldPlaces(path, printer, total, `{"value": ${printer.dot.text}, "gone": []}`, (keys) =>
    eachThere(before, keys, printer, (item) =>
      sound(firstOutput(made, withDot(printer, item)), printer, search, (output) =>
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
      help(
        printer,
        "withoutPaths",
        referenceCode(`${text}.value`),
        help(printer, "unbox", referenceCode(`${text}.gone`)),
      ),
    ),
  );
}

/** A value, and the keys that lead to it. */
interface Located {
  readonly path: Code;
  readonly value: Code;
}

const noKeys: Code = { ...emptyList, keys: [] };

/** What becomes of each place. */
type UseLocated = (place: Located) => Code;

/** The whole of what `.` is. */
const wholeOf = (printer: Printer): Located => ({
  path: noKeys,
  value: printer.dot,
});

/**
 * `path(E)`, the paths of the places that E gives in `.`: `path(.a[])` → the boxes
 * `$map($placesIn($value), function($box) { … })`.
 */
export const eachPath = (body: Expression, printer: Printer, mode: Mode, use: Use): Code =>
  eachLocated(body, wholeOf(printer), printer, mode, ({ path }) => use(path));

/** The places that an expression gives in the value at a place. */
function eachLocated(expression: Expression, from: Located, outer: Printer, mode: Mode, use: UseLocated): Code {
  const printer = withDot(outer, from.value);
  switch (expression.kind) {
    case "identity":
      return use(from);
    case "access":
      return eachMember(expression, from, printer, mode, use);
    case "iterate":
      return eachItem(expression, from, printer, mode, use);
    case "pipe":
      return eachFurther(expression, from, printer, mode, use);
    case "comma": {
      for (const item of expression.items) countCopy(printer, item);
      const parts = expression.items.map((item) => eachLocated(item, from, printer, mode, use));
      return joined(parts, mode, printer, expression.items.length);
    }
    case "let":
      if (isTakenApart(expression)) refuse("a value that is taken apart as a place", expression);
      return eachOutput(expression.value, printer, mode, (output) =>
        named(output, printer, expression.name, (item) =>
          eachLocated(expression.body, from, withBound(printer, expression.name, item), mode, use),
        ),
      );
    case "if":
      return eachChosenLocated(expression, from, printer, mode, use);
    case "recurse":
      if (expression.body.kind !== "iterate" || expression.body.source.kind !== "identity" || !expression.body.optional)
        return refuse("a recursion as a place", expression);
      return eachOf(help(printer, "placesBelow", from.value, from.path), printer, mode, use);
    case "alternative":
      return eachTrueLocated(expression, from, printer, mode, use);
    case "call":
      if (expression.name === "getpath") return eachGiven(expression.args[1]!, from, printer, mode, use);
      return refuse(`the function \`${expression.name}\` as a place`, expression);
    default:
      return refuse(
        expression.kind === "slice" ? "a part of a list as a place" : `\`${expression.kind}\` as a place`,
        expression,
      );
  }
}

/** The uses of places in boxes. */
const eachOf = (boxes: Code, printer: Printer, mode: Mode, use: UseLocated): Code =>
  eachSound(boxes, printer, mode, ({ text }) =>
    use({ path: referenceCode(`${text}.path`), value: referenceCode(`${text}.value`) }),
  );

/** A path with one more key. */
function extended({ text, keys }: Code, key: Code): Code {
  if (!keys || key.short !== "constant") return code(`$append(${text}, ${whole(key)})`);
  const all = [...keys, key];
  return { ...bracketed(`[${all.map(whole).join(", ")}]`), keys: all };
}

function eachMember(
  { source, key, optional }: Access,
  from: Located,
  printer: Printer,
  mode: Mode,
  use: UseLocated,
): Code {
  return eachOutput(key, printer, mode, (output) =>
    named(output, printer, "key", (name) => {
      const wanted = mayBe(shapeIn(key, printer), "array") ? help(printer, "placeKey", name) : name;
      return eachLocated(source, from, printer, mode, (place) => {
        const step = (found: Code) => use({ path: extended(place.path, wanted), value: found });
        if (!optional) {
          const found = taken(place.value, key, name, printer);
          return sound(found, printer, mode, (result) => named(result, printer, "value", step));
        }
        const found = taken(place.value, key, name, catching(printer));
        return named(found, printer, "value", (result) => choice(isFailure(result), mode.none, step(result)));
      });
    }),
  );
}

function eachItem({ source, optional }: Iterate, from: Located, printer: Printer, mode: Mode, use: UseLocated): Code {
  if (optional) refuse("`.[]?` as a place", source);
  return eachLocated(source, from, printer, mode, (place) =>
    eachSound(help(printer, "placesIn", place.value), printer, mode, ({ text }) =>
      use({ path: extended(place.path, referenceCode(`${text}.key`)), value: referenceCode(`${text}.value`) }),
    ),
  );
}

const eachFurther = ({ left, right }: Pipe, from: Located, printer: Printer, mode: Mode, use: UseLocated): Code =>
  eachLocated(left, from, printer, mode, (place) =>
    named(place.value, printer, "item", (item) =>
      named(place.path, printer, "path", (path) => eachLocated(right, { path, value: item }, printer, mode, use)),
    ),
  );

function eachChosenLocated(
  { condition, then, otherwise }: Conditional,
  from: Located,
  printer: Printer,
  mode: Mode,
  use: UseLocated,
): Code {
  countCopy(printer, then);
  return eachOutput(condition, printer, mode, (output) => {
    const { holds, negated } = test(condition, output, printer);
    const branches = [then, otherwise].map((branch) => eachLocated(branch, from, printer, mode, use)) as [Code, Code];
    return negated ? chosen(holds, branches[1], branches[0]) : chosen(holds, ...branches);
  });
}

function eachTrueLocated(
  { left, right }: Alternative,
  from: Located,
  printer: Printer,
  mode: Mode,
  use: UseLocated,
): Code {
  if (outputs(left) !== "one") refuse("`//` of several places", left);
  countCopy(printer, left);
  return eachLocated(left, from, printer, mode, (place) =>
    named(place.value, printer, "value", (item) => {
      const otherwise = eachLocated(right, from, printer, mode, use);
      return choice(
        infix("in", precedence.comparison, item, code("[null, false]")),
        otherwise,
        use({ ...place, value: item }),
      );
    }),
  );
}

function eachGiven(path: Expression, from: Located, printer: Printer, mode: Mode, use: UseLocated): Code {
  return eachOutput(path, printer, mode, (output) =>
    named(output, printer, "path", (keys) =>
      sound(help(printer, "getPath", from.value, keys), printer, mode, (found) =>
        named(found, printer, "value", (item) =>
          use({
            path: from.path.keys?.length === 0 ? keys : code(`$append(${from.path.text}, ${keys.text})`),
            value: item,
          }),
        ),
      ),
    ),
  );
}
