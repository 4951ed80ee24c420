import { type Call, canFail, type Expression, type Form, formOf, isBinary } from "../../../../src/expressions/index.ts";
import { assertNever, own } from "../../../../src/json.ts";
import { eachRecurse } from "../access.ts";
import { type Code, callCode, constantCode, evaluateThen, nothing, ternary } from "../code.ts";
import { callHelper, type JsonataPrinter, type Mode, type OutputContinuation, reject } from "../context.ts";
import { eachAlternative, eachApply } from "../control.ts";
import { search, unlessFailure } from "../outputs.ts";
import { eachLogic, eachOperation, eachOutput, operands, truthCode } from "../printer.ts";
import { eachPath, eachUpdate } from "../update.ts";
import { conditions } from "./conditions.ts";
import { eachOf, type FunctionPrinter, type FunctionPrinters } from "./descriptor.ts";
import { collections, dates, mathematics, numbers, paths, strings } from "./library.ts";
import { merging } from "./merging.ts";
import { patterns } from "./patterns.ts";
import { eachViolation } from "./schemas.ts";
import { streams } from "./streams.ts";
import { switchConditions } from "./switch-conditions.ts";
import { values } from "./values.ts";

/** The printers of all core functions, by `name/arity`. */
export const functionPrinters: FunctionPrinters = {
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
  "schemaViolation/2": eachOf(eachViolation),
  "schemaViolation/3": eachOf(eachViolation),
};

/** Prints a call: `floor` → `$floorOf($x)`. */
export function eachCall(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (call.isLocal) return eachApply(call, printer, mode, use);
  if (isBinary(call)) return eachOperation(call, printer, mode, use);
  const form = formOf(call);
  return form ? eachForm(form, printer, mode, use) : eachBuiltin(call, printer, mode, use);
}

function eachForm(form: Form, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  switch (form.name) {
    case "and":
    case "or":
      return eachLogic(form, printer, mode, use);
    case "alternative":
      return eachAlternative(form, printer, mode, use);
    case "recurse":
      return eachRecurse(form, printer, mode, use);
    case "path":
      return eachPath(form.args[0], printer, mode, use);
    case "update":
      return eachUpdate(form, printer, mode, use);
    default:
      return assertNever(form);
  }
}

function eachBuiltin(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const known = own(functionPrinters, `${call.name}/${call.args.length}`) ?? unknownFunction;
  switch (known.kind) {
    case "outputs":
      return known.each(call, printer, mode, use);
    case "condition":
      return printer.catchesFailures && canFail(call)
        ? eachCatchingCondition(call, printer, mode, use)
        : use(known.print(call, printer));
    case "helper":
    case "value":
    case "refused":
      return operands(call.args, printer, mode, (args) => {
        const result = resultCode(known, call, args, printer);
        return canFail(call) ? unlessFailure(result, printer, mode, use) : use(result);
      });
    default:
      return assertNever(known);
  }
}

const unknownFunction: FunctionPrinter = { kind: "refused" };

function resultCode(
  known: Extract<FunctionPrinter, { kind: "helper" | "value" | "refused" }>,
  call: Call,
  args: readonly Code[],
  printer: JsonataPrinter,
): Code {
  switch (known.kind) {
    case "helper":
      return callHelper(printer, known.helper, ...args);
    case "value":
      return known.print(call, args, printer);
    case "refused":
      return reject(known.construct ?? `the function \`${call.name.replace(/^_|_impl$/g, "")}\``, call);
    default:
      return assertNever(known);
  }
}

/** For `exists` or `truthy`. */
function eachCatchingCondition(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const [argument] = call.args as readonly [Expression];
  if (call.name !== "exists" && call.name !== "truthy")
    reject(`\`${call.name}\` of an expression whose failure would be caught`, call);
  const found = eachOutput(argument, printer, search, (output) =>
    call.name === "exists"
      ? evaluateThen(output, constantCode("true"))
      : ternary(truthCode(argument, output, printer), constantCode("true"), nothing),
  );
  return unlessFailure(found, printer, mode, (item) => use(callCode("exists", item)));
}
