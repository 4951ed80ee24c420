import { type Apply, childrenOf, type Define, type Expression } from "../../../src/expressions/index.ts";
import { caughtBoxes, eachFirm } from "./caught.ts";
import { after, apply, type Code, code, lambda } from "./code.ts";
import { each } from "./each.ts";
import type { Mode, Use } from "./modes.ts";
import { countCopy, fresh, help, type Printer, refuse, type WrittenFunction, withDot } from "./printer.ts";

/** `def f: body; rest`. A function without parameters becomes one of JSONata; one with parameters is written in the places of its calls. */
export function eachDefined(definition: Define, printer: Printer, mode: Mode, use: Use): Code {
  if (definition.parameters.length > 0) {
    if (calls(definition.body, definition.name)) refuse("a function with parameters that calls itself", definition);
    return each(definition.rest, knowing(printer, definition.name, inlined(definition, printer)), mode, use);
  }
  const forms = new Map<string, { readonly name: string; text: string }>();
  const inside: Printer = knowing(printer, definition.name, {
    apply: (_, caller, how, next) => called(definition, forms, () => inside, caller, how, next),
  });
  const rest = each(definition.rest, inside, mode, use);
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
      return each(body, inside, mode, use);
    },
  };
}

/** An argument where its parameter is used: with the input there, and the variables and functions where it is written. */
const argument = (expression: Expression, caller: Printer): WrittenFunction => ({
  apply: (_, user, mode, use) => {
    countCopy(user, expression);
    return each(expression, { ...user, bound: caller.bound, functions: caller.functions }, mode, use);
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
  const next = passes ? [] : [code(lambda([item], use(code(item))))];
  return apply(form.name.slice(1), code(caller.dot), ...next);
}

function formText({ body }: Define, inside: Printer, mode: Mode, passes: boolean): string {
  const [dot, next] = [fresh(inside, "input"), fresh(inside, "next")];
  const printer = withDot(inside, code(dot));
  return passes
    ? lambda([dot], each(body, printer, mode, mode.pass))
    : lambda(
        [dot, next],
        each(body, printer, mode, (output) => apply(next.slice(1), output)),
      );
}
