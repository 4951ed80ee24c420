import {
  type Access,
  type Alternative,
  type Call,
  type Expression,
  formOf,
  type Iterate,
  isBinary,
  isDestructuring,
  outputs,
  type Pipe,
  sliceBounds,
  type Update,
} from "../../../src/expressions/index.ts";
import { lookup } from "./access.ts";
import {
  arrayLiteral,
  blockText,
  type Code,
  code,
  emptyArray,
  infix,
  precedence,
  referenceCode,
  ternary,
  withDefinitions,
} from "./code.ts";
import {
  bindName,
  callHelper,
  countCopy,
  freshName,
  inferredType,
  type JsonataPrinter,
  type Mode,
  mayBe,
  type OutputContinuation,
  reject,
  withDot,
} from "./context.ts";
import {
  catching,
  collect,
  concatenate,
  eachBoxUnlessFailure,
  existsCode,
  fold,
  foldBoxes,
  isFailure,
  search,
  unlessFailure,
} from "./outputs.ts";
import { areDisjoint, eachPathUpdate, type StaticPath, stepsOf } from "./paths.ts";
import { eachOutput, eachResult, firstOutput } from "./printer.ts";

/**
 * Prints updates: `.a |= 1` → `$withMember($states.input, "a", 1)`. Paths that are not static are updated one location
 * at a time.
 */
export function eachUpdate(expression: Update, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const [path, replacement] = expression.args;
  const paths = path.kind === "comma" ? path.items : [path];
  const plans = paths.map(stepsOf);
  const isPlain =
    outputs(replacement) === "one" && plans.every((steps) => steps !== undefined) && areDisjoint(plans as StaticPath[]);
  const isDefinite = isPlain && plans.every((steps) => steps!.every(({ kind }) => kind === "name"));
  if (isDefinite || (isPlain && !printer.catchesFailures))
    return eachPathUpdate(plans as StaticPath[], replacement, printer, mode, use);
  const result =
    outputs(replacement) === "one" ? updateEach(expression, printer) : updateOrDeleteEach(expression, printer);
  return unlessFailure(result, printer, mode, use);
}

function foldLocations(
  path: Expression,
  printer: JsonataPrinter,
  total: string,
  initial: string,
  step: (keys: Code) => Code,
): Code {
  if (!printer.catchesFailures) {
    const places = eachLocation(path, rootLocation(printer), updating(printer), fold(total), (place) =>
      bindName(place.path, printer, "path", step),
    );
    return withDefinitions([`${total} := ${initial}`], places);
  }
  const box = freshName(printer, "box");
  const failure = referenceCode(`${box}.failure`);
  const body = ternary(existsCode(failure), failure, step(referenceCode(`${box}.value`)));
  const paths = eachLocation(path, rootLocation(printer), updating(printer), collect, (place) =>
    collect.pass(place.path),
  );
  return foldBoxes(
    paths,
    [total, box],
    ternary(isFailure(referenceCode(total)), referenceCode(total), body),
    code(initial),
  );
}

/** Each update reads the current value from the total. */
function updateEach({ args: [path, replacement] }: Update, printer: JsonataPrinter): Code {
  const total = freshName(printer, "total");
  return foldLocations(path, printer, total, printer.dot.text, (keys) =>
    eachCurrentValue(referenceCode(total), keys, printer, (item) =>
      eachOutput(replacement, withDot(printer, item), search, (output) =>
        callHelper(printer, "setPath", referenceCode(total), keys, output),
      ),
    ),
  );
}

const eachCurrentValue = (total: Code, keys: Code, printer: JsonataPrinter, use: OutputContinuation): Code =>
  unlessFailure(callHelper(printer, "getPath", total, keys), printer, search, (before) =>
    bindName(before, printer, "value", use),
  );

/** Deletes those for which the new value is missing. */
function updateOrDeleteEach({ args: [path, replacement] }: Update, printer: JsonataPrinter): Code {
  const total = freshName(printer, "total");
  const [before, gone] = [referenceCode(`${total}.value`), `${total}.gone`];
  const state = foldLocations(path, printer, total, `{"value": ${printer.dot.text}, "gone": []}`, (keys) =>
    eachCurrentValue(before, keys, printer, (item) =>
      unlessFailure(firstOutput(replacement, withDot(printer, item)), printer, search, (output) =>
        bindName(output, printer, "new", (found) => {
          const set = (result: Code) => code(`{"value": ${blockText(result)}, "gone": ${gone}}`);
          const changed = unlessFailure(callHelper(printer, "setPath", before, keys, found), printer, search, set);
          return ternary(
            existsCode(found),
            changed,
            code(`{"value": ${before.text}, "gone": $append(${gone}, {"value": ${keys.text}})}`),
          );
        }),
      ),
    ),
  );
  return unlessFailure(state, printer, search, (result) =>
    bindName(result, printer, "state", ({ text }) =>
      callHelper(
        printer,
        "withoutPaths",
        referenceCode(`${text}.value`),
        callHelper(printer, "unbox", referenceCode(`${text}.gone`)),
      ),
    ),
  );
}

interface LocatedValue {
  readonly path: Code;
  readonly value: Code;
}

const noKeys: Code = { ...emptyArray, keys: [] };

type LocationContinuation = (place: LocatedValue) => Code;

const rootLocation = (printer: JsonataPrinter): LocatedValue => ({
  path: noKeys,
  value: printer.dot,
});

/** Prints `path(E)`: `path(.a[])` → the boxes `$map($placesIn($value), …)`. */
export const eachPath = (body: Expression, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code =>
  eachLocation(body, rootLocation(printer), { ...printer, isUpdating: false }, mode, ({ path }) => use(path));

/** A printer of paths that are updated: an array as a key is then an error, whatever it is in jq's paths. */
const updating = (printer: JsonataPrinter): JsonataPrinter => ({ ...printer, isUpdating: true });

function eachLocation(
  expression: Expression,
  from: LocatedValue,
  outer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code {
  const printer = withDot(outer, from.value);
  switch (expression.kind) {
    case "identity":
      return use(from);
    case "access":
      if (sliceBounds(expression)) reject("a slice as a path", expression);
      return eachMemberLocation(expression, from, printer, mode, use);
    case "iterate":
      return eachItemLocation(expression, from, printer, mode, use);
    case "pipe":
      return eachPipedLocation(expression, from, printer, mode, use);
    case "comma": {
      for (const item of expression.items) countCopy(printer, item);
      const parts = expression.items.map((item) => eachLocation(item, from, printer, mode, use));
      return concatenate(parts, mode, printer, expression.items.length);
    }
    case "call":
      return eachCallLocation(expression, from, printer, mode, use);
    default:
      return eachResultLocation(expression, from, printer, mode, use);
  }
}

function eachCallLocation(
  call: Call,
  from: LocatedValue,
  printer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code {
  const form = formOf(call);
  if (form?.name === "alternative") return eachAlternativeLocation(form, from, printer, mode, use);
  if (form?.name === "recurse") {
    const [body] = form.args;
    if (body.kind !== "iterate" || body.source.kind !== "identity" || !body.optional)
      return reject("a recursion as a path", call);
    return eachBoxedLocation(callHelper(printer, "placesBelow", from.value, from.path), printer, mode, use);
  }
  if (call.name === "getpath") return eachGetPathLocation(call.args[1]!, from, printer, mode, use);
  return reject(
    form || isBinary(call) ? `\`${call.name}\` as a path` : `the function \`${call.name}\` as a path`,
    call,
  );
}

const eachBoxedLocation = (boxes: Code, printer: JsonataPrinter, mode: Mode, use: LocationContinuation): Code =>
  eachBoxUnlessFailure(boxes, printer, mode, ({ text }) =>
    use({ path: referenceCode(`${text}.path`), value: referenceCode(`${text}.value`) }),
  );

function appendKey({ text, keys }: Code, key: Code): Code {
  if (!keys || key.atom !== "constant") return code(`$append(${text}, ${blockText(key)})`);
  const all = [...keys, key];
  return { ...arrayLiteral(`[${all.map(blockText).join(", ")}]`), keys: all };
}

function eachMemberLocation(
  { source, key, optional }: Access,
  from: LocatedValue,
  printer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code {
  return eachOutput(key, printer, mode, (output) =>
    bindName(output, printer, "key", (name) => {
      const helper = printer.isUpdating ? "updateKey" : "placeKey";
      const wanted = mayBe(inferredType(key, printer), "array") ? callHelper(printer, helper, name) : name;
      return eachLocation(source, from, printer, mode, (place) => {
        const step = (found: Code) => use({ path: appendKey(place.path, wanted), value: found });
        if (!optional) {
          const found = lookup(place.value, key, name, printer);
          return unlessFailure(found, printer, mode, (result) => bindName(result, printer, "value", step));
        }
        const found = lookup(place.value, key, name, catching(printer));
        return bindName(found, printer, "value", (result) => ternary(isFailure(result), mode.none, step(result)));
      });
    }),
  );
}

function eachItemLocation(
  { source, optional }: Iterate,
  from: LocatedValue,
  printer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code {
  if (optional) reject("`.[]?` as a path", source);
  return eachLocation(source, from, printer, mode, (place) =>
    eachBoxUnlessFailure(callHelper(printer, "placesIn", place.value), printer, mode, ({ text }) =>
      use({ path: appendKey(place.path, referenceCode(`${text}.key`)), value: referenceCode(`${text}.value`) }),
    ),
  );
}

const eachPipedLocation = (
  { left, right }: Pipe,
  from: LocatedValue,
  printer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code =>
  eachLocation(left, from, printer, mode, (place) =>
    bindName(place.value, printer, "item", (item) =>
      bindName(place.path, printer, "path", (path) => eachLocation(right, { path, value: item }, printer, mode, use)),
    ),
  );

function eachResultLocation(
  expression: Expression,
  from: LocatedValue,
  printer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code {
  if (isDestructuring(expression)) reject("destructuring as a path", expression);
  if (expression.kind === "if") countCopy(printer, expression.then);
  const print = (result: Expression, inner: JsonataPrinter) => eachLocation(result, from, inner, mode, use);
  return eachResult(expression, printer, mode, print) ?? reject(`\`${expression.kind}\` as a path`, expression);
}

function eachAlternativeLocation(
  { args: [left, right] }: Alternative,
  from: LocatedValue,
  printer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code {
  if (outputs(left) !== "one") reject("`//` with several paths", left);
  countCopy(printer, left);
  return eachLocation(left, from, printer, mode, (place) =>
    bindName(place.value, printer, "value", (item) => {
      const otherwise = eachLocation(right, from, printer, mode, use);
      return ternary(
        infix("in", precedence.comparison, item, code("[null, false]")),
        otherwise,
        use({ ...place, value: item }),
      );
    }),
  );
}

function eachGetPathLocation(
  path: Expression,
  from: LocatedValue,
  printer: JsonataPrinter,
  mode: Mode,
  use: LocationContinuation,
): Code {
  return eachOutput(path, printer, mode, (output) =>
    bindName(output, printer, "path", (keys) =>
      unlessFailure(callHelper(printer, "getPath", from.value, keys), printer, mode, (found) =>
        bindName(found, printer, "value", (item) =>
          use({
            path: from.path.keys?.length === 0 ? keys : code(`$append(${from.path.text}, ${keys.text})`),
            value: item,
          }),
        ),
      ),
    ),
  );
}
