import { type Call, canFail, type Expression } from "../../../../src/expressions/index.ts";
import { assertNever, own } from "../../../../src/json.ts";
import { apply, type Code, choice, constantCode, discarding, nothing } from "../code.ts";
import { help, type Mode, type Printer, refuse, type Use } from "../context.ts";
import { search, sound } from "../outputs.ts";
import { eachOutput, operands, truth } from "../printer.ts";
import { conditions } from "./conditions.ts";
import type { Family, FunctionPrinter } from "./descriptor.ts";
import { collections, dates, mathematics, numbers, paths, strings } from "./library.ts";
import { merging } from "./merging.ts";
import { patterns } from "./patterns.ts";
import { streams } from "./streams.ts";
import { switchConditions } from "./switch-conditions.ts";
import { values } from "./values.ts";

/** How each function of the core is printed, or that it is not, by `name/arity`. */
export const functionPrinters: Family = {
  ...values,
  ...numbers,
  ...mathematics,
  ...strings,
  ...collections,
  ...paths,
  ...dates,
  ...patterns,
  ...streams,
  ...conditions,
  ...switchConditions,
  ...merging,
};

/** The outputs of a call: `floor` → `$floorOf($x)`, `exists($x.a)` → `$type($x) = "object" and $exists($x.a)`. */
export function eachCall(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const known = own(functionPrinters, `${call.name}/${call.args.length}`) ?? unknown;
  switch (known.kind) {
    case "outputs":
      return known.each(call, printer, mode, use);
    case "condition":
      return printer.caught && canFail(call) ? eachAsked(call, printer, mode, use) : use(known.print(call, printer));
    case "helper":
    case "value":
    case "refused":
      return operands(call.args, printer, mode, (args) => {
        const result = resultText(known, call, args, printer);
        return canFail(call) ? sound(result, printer, mode, use) : use(result);
      });
    default:
      return assertNever(known);
  }
}

const unknown: FunctionPrinter = { kind: "refused" };

function resultText(
  known: Extract<FunctionPrinter, { kind: "helper" | "value" | "refused" }>,
  call: Call,
  args: readonly Code[],
  printer: Printer,
): Code {
  switch (known.kind) {
    case "helper":
      return help(printer, known.helper, ...args);
    case "value":
      return known.print(call, args, printer);
    case "refused":
      return refuse(known.construct ?? `the function \`${call.name.replace(/^_|_impl$/g, "")}\``, call);
    default:
      return assertNever(known);
  }
}

/** Whether an expression yields something, where its failing is a value. */
function eachAsked(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [asked] = call.args as readonly [Expression];
  if (call.name !== "exists" && call.name !== "truthy")
    refuse(`\`${call.name}\` of what may fail where its failing would be caught`, call);
  const found = eachOutput(asked, printer, search, (output) =>
    call.name === "exists"
      ? discarding(output, constantCode("true"))
      : choice(truth(asked, output, printer), constantCode("true"), nothing),
  );
  return sound(found, printer, mode, (item) => use(apply("exists", item)));
}
