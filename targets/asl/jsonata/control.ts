import {
  type Alternative,
  type Apply,
  type Break,
  canFail,
  childrenOf,
  type Define,
  type Expression,
  factsOf,
  type Label,
  outputs,
  type Reduce,
  type Try,
} from "../../../src/expressions/index.ts";
import {
  after,
  apply,
  type Code,
  choice,
  code,
  constantCode,
  lambda,
  operand,
  precedence,
  referenceCode,
} from "./code.ts";
import {
  countCopy,
  fresh,
  help,
  type Mode,
  named,
  type Printer,
  refuse,
  shapeIn,
  type Use,
  type WrittenFunction,
  withBound,
  withDot,
} from "./context.ts";
import { filtered, some } from "./functions/conditions.ts";
import { mayNotEnd } from "./functions/streams.ts";
import {
  catching,
  collect,
  eachBox,
  eachFirm,
  eachThen,
  existsText,
  failed,
  failureOf,
  fold,
  folded,
  isFailure,
  otherwise,
  shared,
  sound,
  whenPresent,
} from "./outputs.ts";
import { caughtBoxes, eachOutput, firstOutput, test } from "./printer.ts";

/**
 * `try E catch H`: `try .a catch 1` →
 * `$result := $tryMemberOf($states.input, "a"); $type($result) = "function" ? 1 : $result`.
 */
export function eachTry({ body, handler }: Try, printer: Printer, mode: Mode, use: Use): Code {
  if (!canFail(body)) return eachOutput(body, printer, mode, use);
  if (breaksIn(body).size > 0) refuse("a `break` out of `try`", body);
  return shared(handler ? 2 : 1, mode, printer, use, (next) => {
    const handled = (failure: Code): Code => (handler ? eachHandled(handler, failure, printer, mode, next) : mode.none);
    return outputs(body) === "many"
      ? eachUntilFailure(body, handled, printer, mode, next)
      : eachUnlessFailed(body, handled, printer, mode, next);
  });
}

function eachHandled(handler: Expression, failure: Code, printer: Printer, mode: Mode, use: Use): Code {
  if (!factsOf(handler).usesInput) return eachOutput(handler, printer, mode, use);
  return named(failureOf(failure), printer, "failure", (item) =>
    eachOutput(handler, withDot(printer, item), mode, use),
  );
}

type Handled = (failure: Code) => Code;

function eachUnlessFailed(body: Expression, handled: Handled, printer: Printer, mode: Mode, use: Use): Code {
  return named(firstOutput(body, catching(printer)), printer, "result", (result) => {
    const used = outputs(body) === "one" ? use(result) : whenPresent(result, mode, printer, use);
    return choice(isFailure(result), handled(result), used);
  });
}

function eachUntilFailure(body: Expression, handled: Handled, printer: Printer, mode: Mode, use: Use): Code {
  return eachThen(help(printer, "untilFailure", caughtBoxes(body, printer)), handled, printer, mode, use);
}

/** `A // B`: `.a // 1` → `$value := $memberOf($states.input, "a"); $value in [null, false] ? 1 : $value`. */
export function eachAlternative({ left, right }: Alternative, printer: Printer, mode: Mode, use: Use): Code {
  return shared(2, mode, printer, use, (next) => {
    const otherwise = () => eachOutput(right, printer, mode, next);
    if (outputs(left) === "many") return eachTrueOf(left, otherwise, printer, mode, next);
    const found = firstOutput(left, printer);
    const chosen = (item: Code) => {
      if (outputs(left) !== "one") return choice(help(printer, "isTrue", item), next(item), otherwise());
      const { holds, negated } = test(left, item, printer);
      return negated ? choice(holds, otherwise(), next(item)) : choice(holds, next(item), otherwise());
    };
    const used = (output: Code) => named(output, printer, "value", chosen);
    return canFail(left) ? sound(found, printer, mode, used) : used(found);
  });
}

/** The outputs of an expression that are true, in boxes, and in the last one what it fails with; else another. */
function eachTrueOf(left: Expression, otherwise: () => Code, printer: Printer, mode: Mode, use: Use): Code {
  if (mode.kind === "search" && mayNotEnd(left)) refuse("`//` of what may never end", left);
  const fails = canFail(left);
  const all = fails
    ? help(printer, "untilFailure", caughtBoxes(left, printer))
    : eachOutput(left, printer, collect, collect.pass);
  const isTrue = help(printer, "isTrue", referenceCode("value"));
  const kept = filtered(all, fails ? code(`${isTrue.text} or $exists(failure)`, precedence.or) : isTrue);
  return named(kept, printer, "boxes", (boxes) =>
    choice(some(boxes), fails ? eachFirm(boxes, printer, mode, use) : eachBox(boxes, mode, printer, use), otherwise()),
  );
}

/**
 * `label $name | E`: the outputs of E up to a failure, `$untilFailure(…)`. A break is a failure that gives another
 * function, which nothing fails with: `function() { function() { "name" } }`.
 */
export function eachLabelled(label: Label, printer: Printer, mode: Mode, use: Use): Code {
  const { body, name } = label;
  if (mayNotEnd(body)) refuse("`label` around what may never end", label);
  if ([...breaksIn(body)].some((other) => other !== name)) refuse("a `break` to a label around another label", label);
  const boxes = help(printer, "untilFailure", caughtBoxes(body, printer));
  return eachThen(
    boxes,
    (failure) => choice(isFailure(failureOf(failure)), mode.none, again(failure, printer, mode)),
    printer,
    mode,
    use,
  );
}

/** The same failure. */
const again = (failure: Code, printer: Printer, mode: Mode): Code =>
  printer.caught ? failed(failure, mode) : help(printer, "raise", failureOf(failure));

/** `break $name`. */
export const brokenOff = ({ name }: Break, mode: Mode): Code =>
  failed(code(`function() { function() { ${JSON.stringify(name)} } }`), mode);

/** The labels outside of an expression that it may break to. */
function breaksIn(expression: Expression): ReadonlySet<string> {
  if (expression.kind === "break") return new Set([expression.name]);
  const names = new Set(childrenOf(expression).flatMap((child) => [...breaksIn(child.expression)]));
  if (expression.kind === "label") names.delete(expression.name);
  return names;
}

/**
 * `def f: .+1; f` → `$f := function($input) { $add($input, 1) }; $f($states.input)`. A function without parameters
 * becomes one of JSONata; one with parameters is written in the places of its calls.
 */
export function eachDefined(definition: Define, printer: Printer, mode: Mode, use: Use): Code {
  if (definition.parameters.length > 0) {
    if (calls(definition.body, definition.name)) refuse("a function with parameters that calls itself", definition);
    return eachOutput(definition.rest, knowing(printer, definition.name, inlined(definition, printer)), mode, use);
  }
  const forms = new Map<string, { readonly name: string; text: string }>();
  const inside: Printer = knowing(printer, definition.name, {
    apply: (_, caller, how, next) => called(definition, forms, () => inside, caller, how, next),
  });
  const rest = eachOutput(definition.rest, inside, mode, use);
  return after(
    [...forms.values()].map(({ name, text }) => `${name} := ${text}`),
    rest,
  );
}

const knowing = (printer: Printer, name: string, written: WrittenFunction): Printer => ({
  ...printer,
  functions: new Map([...printer.functions, [name, written]]),
});

/** A call of a function or of a parameter. */
export function eachApplied(expression: Apply, printer: Printer, mode: Mode, use: Use): Code {
  const written = printer.functions.get(expression.name);
  if (!written) throw new Error(`Unknown function: ${expression.name}`);
  return written.apply(expression, printer, mode, use);
}

const calls = (expression: Expression, name: string): boolean =>
  (expression.kind === "apply" && expression.name === name) ||
  childrenOf(expression).some((child) => calls(child.expression, name));

/** The body where it is called, with the arguments in the places of the parameters. */
function inlined({ parameters, body }: Define, defined: Printer): WrittenFunction {
  return {
    apply: ({ args }, caller, mode, use) => {
      countCopy(caller, body);
      const start: Printer = { ...caller, bound: defined.bound, functions: defined.functions };
      const inside = parameters.reduce<Printer>(
        (known, parameter, i) => knowing(known, parameter, argument(args[i]!, caller)),
        start,
      );
      return eachOutput(body, inside, mode, use);
    },
  };
}

/**
 * An argument where its parameter is used: with the input there, and the variables and functions where it is written.
 */
const argument = (expression: Expression, caller: Printer): WrittenFunction => ({
  apply: (_, user, mode, use) => {
    countCopy(user, expression);
    return eachOutput(expression, { ...user, bound: caller.bound, functions: caller.functions }, mode, use);
  },
});

type Forms = Map<string, { readonly name: string; text: string }>;

/** A call of a function of JSONata: there is one for each way in which the outputs are used. */
function called(definition: Define, forms: Forms, inside: () => Printer, caller: Printer, mode: Mode, use: Use): Code {
  if (mode.kind === "fold") {
    const boxes = help(caller, "untilFailure", caughtBoxes({ kind: "apply", name: definition.name, args: [] }, caller));
    return eachFirm(boxes, caller, mode, use);
  }
  const passes = use === mode.pass;
  const key = `${mode.kind} ${caller.caught} ${passes}`;
  const known = forms.get(key);
  const form = known ?? { name: fresh(caller, definition.name), text: "" };
  if (!known) {
    forms.set(key, form);
    form.text = formText(definition, { ...inside(), caught: caller.caught }, mode, passes);
  }
  const item = fresh(caller, "output");
  const next = passes ? [] : [code(lambda([item], use(referenceCode(item))))];
  return apply(form.name.slice(1), caller.dot, ...next);
}

function formText({ body }: Define, inside: Printer, mode: Mode, passes: boolean): string {
  const [dot, next] = [fresh(inside, "input"), fresh(inside, "next")];
  const printer = withDot(inside, referenceCode(dot));
  return passes
    ? lambda([dot], eachOutput(body, printer, mode, mode.pass))
    : lambda(
        [dot, next],
        eachOutput(body, printer, mode, (output) => apply(next.slice(1), output)),
      );
}

/**
 * A fold that begins with one value: `reduce .[] as $x (0; . + $x)` →
 * `$reduce([$itemsOf($states.input)], function($total, $box) { … }, 0)`.
 */
export function reduceText(expression: Reduce, first: Code, printer: Printer): Code {
  const { source } = expression;
  if (printer.caught && canFail(expression)) return caughtText(expression, first, printer);
  const reduced = (initial: Code) => foldText(expression, initial, printer);
  return canFail(expression.initial) && canFail(source) ? named(first, printer, "start", reduced) : reduced(first);
}

function foldText(expression: Reduce, initial: Code, printer: Printer): Code {
  const { source, name, update } = expression;
  const total = fresh(printer, "total");
  const inner = withDot(printer, referenceCode(total), shapeIn(expression, printer));
  const item = shapeIn(source, printer);
  const updated = (value: Code): Code =>
    named(value, printer, name, (known) => last(update, withBound(inner, name, known, item)));
  if (source.kind === "comma" && !(canFail(source) && canFail(update))) {
    const box = fresh(printer, "box");
    const boxes = eachOutput(source, printer, collect, collect.pass);
    return folded(boxes, [total, box], updated(referenceCode(`${box}.value`)), initial);
  }
  return after([...initial.before, `${total} := ${initial.text}`], eachOutput(source, printer, fold(total), updated));
}

/** A fold that stops at the first failure. */
function caughtText({ source, name, update }: Reduce, initial: Code, printer: Printer): Code {
  const [total, box] = [fresh(printer, "total"), fresh(printer, "box")];
  const inner = withBound(withDot(printer, referenceCode(total)), name, referenceCode(`${box}.value`));
  const failure = referenceCode(`${box}.failure`);
  const next = choice(existsText(failure), failure, last(update, inner));
  return folded(
    caughtBoxes(source, printer),
    [total, box],
    choice(isFailure(referenceCode(total)), referenceCode(total), next),
    initial,
  );
}

/** The last output; null where there is none. */
function last(expression: Expression, printer: Printer): Code {
  if (outputs(expression) === "one") return firstOutput(expression, printer);
  if (outputs(expression) !== "many") return otherwise(firstOutput(expression, printer), constantCode("null"), printer);
  if (printer.caught && canFail(expression)) return help(printer, "lastOf", caughtBoxes(expression, printer));
  const boxes = eachOutput(expression, printer, collect, collect.pass);
  return otherwise(code(`(${operand(boxes, precedence.choice)})[-1].value`), constantCode("null"), printer);
}
