import {
  after,
  apply,
  bracketed,
  type Code,
  choice,
  code,
  constantCode,
  endOf,
  equal,
  guarded,
  isPath,
  lambda,
  nothing,
  operand,
  precedence,
  referenceCode,
  whole,
} from "./code.ts";
import { fresh, help, type Mode, named, type Printer, type Use } from "./context.ts";

/** The first output. */
export const search: Mode = { kind: "search", none: nothing, pass: (output) => output };

/** All outputs, as boxes. */
export const collect: Mode = { kind: "collect", none: nothing, pass: (output) => code(`{"value": ${whole(output)}}`) };

/** A total that each output changes, under its name. */
export const fold = (total: string): Mode => ({ kind: "fold", none: referenceCode(total), pass: (output) => output });

/** The use of an output that may be missing. */
export function whenPresent(output: Code, mode: Mode, printer: Printer, use: Use): Code {
  if (use === mode.pass && mode.kind === "search") return output;
  if (isPath(output)) {
    const used = use(endOf(output.path));
    return output.path.isSure ? after(output.before, used) : choice(existsText(output), used, mode.none);
  }
  if (use === mode.pass && mode.kind === "collect") return help(printer, "box", output);
  return named(output, printer, "found", (value) => choice(existsText(value), use(value), mode.none));
}

/** A test of a value, which is false where the value is missing; the value can be written twice in it. */
export const tested = (value: Code, printer: Printer, test: (value: Code) => Code): Code =>
  isPath(value) ? guarded(value, test(endOf(value.path))) : named(value, printer, "value", test);

/** Whether a value is there. */
export function existsText(value: Code): Code {
  if (!isPath(value)) return apply("exists", value);
  return value.path.isSure
    ? after(value.before, constantCode("true"))
    : guarded(value, apply("exists", endOf(value.path)));
}

/** The uses of the values in boxes. */
export function eachBox(boxes: Code, mode: Mode, printer: Printer, use: Use): Code {
  if (use === mode.pass && mode.kind === "collect") return boxes;
  if (use === mode.pass && mode.kind === "search") return code(`${operand(boxes, precedence.primary)}[0].value`);
  const item = fresh(printer, mode.kind === "search" ? "item" : "box");
  if (mode.kind === "search") {
    const found = lambda([item], use(referenceCode(item)));
    return help(printer, "search", boxes, code(found));
  }
  const body = use(referenceCode(`${item}.value`));
  if (mode.kind === "collect") return code(`$map(${whole(boxes)}, ${lambda([item], body)}).$`);
  const total = mode.none.text;
  return folded(boxes, [total, item], body, referenceCode(total));
}

/** A fold over boxes: `body` makes the new total of the parameters, the total so far and a box. */
export function folded(boxes: Code, parameters: readonly [string, string], body: Code, initial: Code): Code {
  const list = boxes.isBracketed && boxes.before.length === 0 ? boxes.text : `[${whole(boxes)}]`;
  return code(`$reduce(${list}, ${lambda(parameters, body)}, ${whole(initial)})`);
}

/** A use that can be written several times: as a function, unless it is short anyway. */
export function shared(times: number, mode: Mode, printer: Printer, use: Use, body: (use: Use) => Code): Code {
  if (times < 2 || (use === mode.pass && mode.kind !== "fold")) return body(use);
  const [name, item] = [fresh(printer, "next"), fresh(printer, "item")];
  const totals = mode.kind === "fold" ? [mode.none] : [];
  const definition = `${name} := ${lambda([...totals.map(({ text }) => text), item], use(referenceCode(item)))}`;
  return after(
    [definition],
    body((output) => apply(name.slice(1), ...totals, output)),
  );
}

/** The results of several expressions, one after the other. `failing`: how many of them may fail. */
export function joined(parts: readonly Code[], mode: Mode, printer: Printer, failing: number): Code {
  if (mode.kind === "fold") return sequence(parts, mode.none);
  const some = parts.filter((part) => part.before.length > 0 || part.text !== nothing.text);
  if (some.length < 2) return some[0] ?? nothing;
  const half = (some.length + 1) >> 1;
  const halves = () =>
    [some.slice(0, half), some.slice(half)].map((part) => joined(part, mode, printer, failing)) as [Code, Code];
  if (mode.kind === "search") return otherwise(...halves(), printer);
  return failing < 2 ? listText(some) : apply("append", ...halves());
}

/** A value, or another where it is missing. */
export function otherwise(value: Code, other: Code, printer: Printer): Code {
  if (isPath(value))
    return printer.present.has(value.path.text) || value.path.isSure
      ? after(value.before, endOf(value.path))
      : choice(existsText(value), endOf(value.path), other);
  if (value.open?.isSure) return choice(value.open.condition, value.open.then, other);
  return named(value, printer, "found", (found) => choice(existsText(found), found, other));
}

/** All elements of lists, in a list. Elements that are lists themselves never stand alone in brackets. */
function listText(parts: readonly Code[]): Code {
  const flat = parts.flatMap((part) => part.parts ?? [part]);
  return { ...bracketed(`[${flat.map(whole).join(", ")}]`), parts: flat };
}

function sequence(parts: readonly Code[], total: Code): Code {
  const last = parts.at(-1) ?? total;
  return after(
    parts.slice(0, -1).flatMap((part) => [...part.before, `${total.text} := ${part.text}`]),
    last,
  );
}

/**
 * JSONata cannot catch errors. Where jq does, whatever may fail gives its failure as a value instead: a function, which
 * no JSON value is, that gives what it fails with. In boxes a failure stands as `{"failure": function}`.
 */
export const catching = (printer: Printer): Printer => ({ ...printer, caught: true });

/** Whether a value is a failure. */
export const isFailure = (value: Code): Code => equal(apply("type", value), constantCode('"function"'));

/** What something has failed with. */
export const failureOf = (failure: Code): Code => code(`${failure.text}()`);

/** A failure as the result of a mode: nothing after it is used. */
export const failed = (failure: Code, mode: Mode): Code =>
  mode.kind === "collect" ? code(`{"failure": ${whole(failure)}}`) : failure;

/** The use of what may be a failure, if failures are values here. */
export function sound(result: Code, printer: Printer, mode: Mode, use: Use): Code {
  if (!printer.caught || (use === mode.pass && mode.kind !== "collect")) return use(result);
  return named(result, printer, "result", (value) => choice(isFailure(value), failed(value, mode), use(value)));
}

/** Boxes that may be a failure, and the uses of the values in them. */
export function eachSound(boxes: Code, printer: Printer, mode: Mode, use: Use): Code {
  if (!printer.caught) return eachBox(boxes, mode, printer, use);
  return named(boxes, printer, "boxes", (list) =>
    choice(isFailure(list), failed(list, mode), eachBox(list, mode, printer, use)),
  );
}

/** The uses of the values in boxes, of which the last may be a failure; then it fails. */
export const eachFirm = (boxes: Code, printer: Printer, mode: Mode, use: Use): Code =>
  eachThen(
    boxes,
    (failure) => (printer.caught ? failed(failure, mode) : help(printer, "raise", failureOf(failure))),
    printer,
    mode,
    use,
  );

/** The uses of the values in boxes, and what comes of a failure in the last one. */
export function eachThen(all: Code, handled: (failure: Code) => Code, printer: Printer, mode: Mode, use: Use): Code {
  return named(all, printer, "boxes", (boxes) => {
    const values = eachBox(code(`${boxes.text}[$exists(value)]`), mode, printer, use);
    const rest = named(code(`${boxes.text}[-1].failure`), printer, "failed", (last) =>
      choice(existsText(last), handled(last), mode.none),
    );
    return joined([values, rest], mode, printer, 2);
  });
}
