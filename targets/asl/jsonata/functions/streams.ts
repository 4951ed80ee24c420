import {
  type Call,
  canFail,
  childrenOf,
  type Expression,
  type Foreach,
  outputs,
} from "../../../../src/expressions/index.ts";
import { isObject } from "../../../../src/json.ts";
import { type Code, choice, code, constantCode, infix, objectCode, precedence, referenceCode, whole } from "../code.ts";
import {
  constantOf,
  fresh,
  help,
  type Mode,
  named,
  type Printer,
  refuse,
  type Use,
  withBound,
  withDot,
} from "../context.ts";
import {
  catching,
  collect,
  eachFirm,
  eachSound,
  existsText,
  failed,
  folded,
  isFailure,
  sound,
  whenPresent,
} from "../outputs.ts";
import { caughtBoxes, eachOutput, firstOutput, operands } from "../printer.ts";
import { isCount, literalKeys } from "../values.ts";
import { eachOf, type Family } from "./descriptor.ts";
import { textOf } from "./values.ts";

/** The functions that decide how many outputs of an expression count. */
export const streams: Family = {
  "first/1": eachOf(eachFirst),
  "last/1": eachOf(eachLast),
  "limit/2": eachOf(eachCounted),
  "skip/2": eachOf(eachCounted),
  "range/3": eachOf(eachInRange),
  "attribute/2": eachOf(eachAttribute),
};

/**
 * The first output of an expression, unless that fails before it: `first(.[])` → `$itemsOf($states.input)[0].value`.
 */
function eachFirst(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const member = optionalMember(call.args[0]!);
  if (member && !printer.caught) return use(objectCode([[member.name, firstOutput(member.value, printer)]]));
  const found = firstOutput(call.args[0]!, printer);
  const used = (item: Code) => (outputs(call) === "one" ? use(item) : whenPresent(item, mode, printer, use));
  return canFail(call) ? sound(found, printer, mode, used) : used(found);
}

/**
 * The one member of an object that is empty where the member is missing: `first({a: $x.a}, {})` → `{"a": $x.a}`, as JSONata leaves out what is missing.
 */
function optionalMember(stream: Expression): { readonly name: string; readonly value: Expression } | undefined {
  if (stream.kind !== "comma" || stream.items.length !== 2) return undefined;
  const [made, otherwise] = stream.items as readonly [Expression, Expression];
  const isEmpty =
    (otherwise.kind === "object" && otherwise.entries.length === 0) ||
    (otherwise.kind === "literal" && isObject(otherwise.value) && Object.keys(otherwise.value).length === 0);
  const keys = made.kind === "object" ? literalKeys(made) : undefined;
  if (!isEmpty || made.kind !== "object" || keys?.length !== 1 || keys[0] === "__proto__") return undefined;
  const { value } = made.entries[0]!;
  return outputs(value) === "optional" && !canFail(value) ? { name: keys[0]!, value } : undefined;
}

/**
 * The last output of an expression, or nothing: `last(.[])` → `$boxes := $itemsOf($states.input); $boxes[-1].value`.
 */
function eachLast({ args: [stream] }: Call, printer: Printer, mode: Mode, use: Use): Code {
  if (outputs(stream!) !== "many") return eachOutput(stream!, printer, mode, use);
  const caught = printer.caught && canFail(stream!);
  const boxes = caught
    ? help(printer, "untilFailure", caughtBoxes(stream!, printer))
    : eachOutput(stream!, printer, collect, collect.pass);
  return named(boxes, printer, "boxes", ({ text }) => {
    const used = whenPresent(code(`${text}[-1].value`), mode, printer, use);
    return caught
      ? choice(existsText(code(`${text}[-1].failure`)), failed(code(`${text}[-1].failure`), mode), used)
      : used;
  });
}

/** `attribute(E, name)` → `$attributeOf($states.input, "type")`. */
function eachAttribute({ args }: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [events, names] = args as readonly [Expression, Expression];
  return eachOutput(events, printer, mode, (event) =>
    eachOutput(names, printer, mode, (name) =>
      whenPresent(help(printer, "attributeOf", event, textOf(names, name, printer)), mode, printer, use),
    ),
  );
}

/** `range(0; $n; 1)` → `$rangeOf(0, $n, 1)`: what it begins with and the distance are whole numbers. */
function eachInRange(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  if (isEndless(call)) refuse("numbers without end", call);
  const [from, , by] = call.args as readonly [Expression, Expression, Expression];
  if (!isWhole(from, printer) || !isWhole(by, printer))
    refuse("numbers that may have fractions, one after the other", call);
  return operands(call.args, printer, mode, ([from, upTo, by]) =>
    eachSound(help(printer, "rangeOf", from!, upTo!, by!), printer, mode, use),
  );
}

/** Whether an expression surely gives a number without a fraction. */
function isWhole(expression: Expression, printer: Printer): boolean {
  if (expression.kind === "literal") return Number.isInteger(expression.value);
  if (expression.kind === "call" && expression.name === "_negate") return isWhole(expression.args[0]!, printer);
  return expression.kind === "variable" && isCount(expression, printer);
}

const isEndless = ({ args }: Call): boolean => args.some((arg) => arg.kind === "call" && arg.name === "infinite");

/**
 * `limit(2; E)` → the values in `$firstOf($boxes, 2)`, `skip(2; E)` → in `$restOf($boxes, 2)`: what comes after the
 * last output that counts may fail without notice, so that failures are caught first.
 */
function eachCounted(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [count, stream] = call.args as readonly [Expression, Expression];
  if (mayNotEnd(stream)) refuse(`\`${call.name}\` of what may never end`, call);
  const helper = call.name === "limit" ? "firstOf" : "restOf";
  const counted = (number: Code) =>
    eachFirm(help(printer, helper, caughtBoxes(stream, printer), number), printer, mode, use);
  const constant = constantOf(count);
  if (typeof constant === "number" && constant > 0) return counted(constantCode(String(constant)));
  return eachOutput(count, printer, mode, (output) =>
    sound(help(printer, "countOf", output, constantCode(`"${call.name}"`)), printer, mode, (result) =>
      named(result, printer, "count", (number) =>
        call.name === "limit"
          ? choice(infix("=", precedence.comparison, number, constantCode("0")), mode.none, counted(number))
          : counted(number),
      ),
    ),
  );
}

/** Whether an expression may have outputs without end: it recurses other than into what a value holds. */
export function mayNotEnd(expression: Expression): boolean {
  if (expression.kind === "apply" || expression.kind === "define") return true;
  if (expression.kind === "call" && expression.name === "range" && isEndless(expression)) return true;
  if (expression.kind === "recurse" && !leadsInside(expression.body)) return true;
  return childrenOf(expression).some((child) => mayNotEnd(child.expression));
}

/** Whether an expression gives only what is inside of its input. */
function leadsInside(expression: Expression): boolean {
  switch (expression.kind) {
    case "iterate":
    case "access":
      return expression.source.kind === "identity" ? expression.kind === "iterate" : leadsInside(expression.source);
    case "pipe":
      return leadsInside(expression.left) && (leadsInside(expression.right) || isFilter(expression.right));
    default:
      return false;
  }
}

const isFilter = (expression: Expression): boolean =>
  expression.kind === "if" && expression.then.kind === "identity" && outputs(expression.otherwise) === "none";

/** `foreach S as $x (I; U; E)`: the state goes on together with all outputs so far; where something fails, it stops. */
export function eachState(expression: Foreach, printer: Printer, mode: Mode, use: Use): Code {
  const { source, name, initial, update, extract } = expression;
  if (outputs(update) === "many") refuse("`foreach` whose update has several outputs", update);
  if (mayNotEnd(source)) refuse("`foreach` of what may never end", source);
  return eachOutput(initial, printer, mode, (first) => {
    const [state, box] = [fresh(printer, "state"), fresh(printer, "box")];
    const inner = withBound(withDot(printer, referenceCode(`${state}.value`)), name, referenceCode(`${box}.value`));
    const next = named(firstOutput(update, catching(inner)), printer, "new", (made) => {
      const outputs = caughtBoxes(extract, withDot(inner, made));
      const on = code(`{"value": ${made.text}, "boxes": $append(${state}.boxes, ${whole(outputs)})}`);
      return choice(
        isFailure(made),
        stopped(state, `{"failure": ${made.text}}`),
        choice(existsText(made), on, code(`{"value": null, "boxes": ${state}.boxes}`)),
      );
    });
    const body = choice(
      existsText(referenceCode(`${state}.value`)),
      choice(existsText(referenceCode(`${box}.failure`)), stopped(state, box), next),
      referenceCode(state),
    );
    const start = code(`{"value": ${whole(first)}, "boxes": []}`);
    const all = folded(caughtBoxes(source, printer), [state, box], body, start);
    return eachFirm(help(printer, "untilFailure", code(`${all.text}.boxes`)), printer, mode, use);
  });
}

const stopped = (state: string, box: string): Code => code(`{"boxes": $append(${state}.boxes, ${box})}`);
