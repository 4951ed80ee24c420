import {
  type Call,
  canFail,
  type Expression,
  numberOf,
  outputs,
  portableRegex,
} from "../../../../src/expressions/index.ts";
import {
  type Code,
  callCode,
  code,
  comparison,
  constantCode,
  equal,
  evaluateThen,
  infix,
  logical,
  precedence,
  referenceCode,
  regexText,
  stringText,
} from "../code.ts";
import {
  bindName,
  callHelper,
  constantOf,
  type JsonataPrinter,
  type Mode,
  type OutputContinuation,
  reject,
} from "../context.ts";
import { collect, existsCode, presentAnd } from "../outputs.ts";
import { eachOutput, firstOutput } from "../printer.ts";
import { filtered, isNonEmpty, mayBeNumberOnly, numberTest, ordered } from "./conditions.ts";
import { eachOf, type FunctionPrinters } from "./descriptor.ts";

/** JSONata's ordering operators. */
const signs = { lessthan: "<", lessthanorequals: "<=", greaterthan: ">", greaterthanorequals: ">=" } as const;

interface SwitchSubject {
  readonly isList: boolean;
  /** Whether it is a number if it exists. */
  readonly isNumber?: boolean;
  readonly text: Code;
}

interface SwitchOperand {
  readonly text: Code;
  readonly expression: Expression;
  /** Whether it is compared with a number. */
  readonly isForNumber?: boolean | undefined;
}

/** The condition of a switch case. */
export const switchConditions: FunctionPrinters = { "switchCondition/3": eachOf(eachSwitchCondition) };

function eachSwitchCondition(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const [values, operator, operand] = call.args as readonly [Expression, Expression, Expression];
  if (operator.kind !== "literal") return reject("a switch condition with a computed operator", call);
  const word = String(operator.value);
  const judged = (subject: SwitchSubject): Code =>
    eachOutput(operand, printer, mode, (output) => {
      const judged = (text: Code) =>
        use(conditionCode(subject, word, { text, expression: operand, isForNumber: subject.isNumber }, printer));
      return canFail(operand) ? bindName(output, printer, "operand", judged) : judged(output);
    });
  const keeps = outputs(operand) !== "one" || (canFail(values) && canFail(operand));
  const judgedLater = (subject: SwitchSubject): Code =>
    keeps ? bindName(subject.text, printer, "values", (text) => judged({ ...subject, text })) : judged(subject);
  if (values.kind !== "array") {
    return eachOutput(values, printer, mode, (list) =>
      judgedLater({ isList: true, text: callHelper(printer, "listOf", list) }),
    );
  }
  const items = values.items ?? { kind: "comma", items: [] };
  if (outputs(items) !== "many")
    return judgedLater({ isList: false, isNumber: mayBeNumberOnly(items, printer), text: firstOutput(items, printer) });
  return judgedLater({ isList: true, text: eachOutput(items, printer, collect, collect.pass) });
}

function conditionCode(subject: SwitchSubject, word: string, operand: SwitchOperand, printer: JsonataPrinter): Code {
  const { isList, text } = subject;
  switch (word) {
    case "exists":
      return isList ? isNonEmpty(text) : existsCode(text);
    case "notexists":
      return isList ? equal(callCode("count", text), constantCode("0")) : callCode("not", existsCode(text));
    case "null":
      return any(subject, (item) => equal(item, constantCode("null")));
    case "notnull":
      return all(subject, printer, (item) => comparison(item, "!=", constantCode("null")));
    case "notequals":
      return all(subject, printer, (item) => differsFromOperand(item, operand, printer));
    case "notmatches":
      return all(subject, printer, (item) => matchesPattern(item, operand, printer, (found) => callCode("not", found)));
    default:
      return any(subject, (item) => holds(item, word, operand, printer));
  }
}

const any = ({ isList, text }: SwitchSubject, holds: (item: Code) => Code): Code =>
  isList ? isNonEmpty(filtered(text, holds(referenceCode("value")))) : holds(text);

/** Whether there are values and a test, false for a missing value, holds for all. */
const all = ({ isList, text }: SwitchSubject, printer: JsonataPrinter, holds: (item: Code) => Code): Code =>
  isList ? every(text, printer, holds) : presentAnd(text, printer, holds);

const every = (boxes: Code, printer: JsonataPrinter, holds: (item: Code) => Code): Code =>
  bindName(boxes, printer, "values", (list) =>
    infix(
      "and",
      precedence.and,
      isNonEmpty(list),
      equal(callCode("count", filtered(list, callCode("not", holds(referenceCode("value"))))), constantCode("0")),
    ),
  );

function holds(item: Code, word: string, operand: SwitchOperand, printer: JsonataPrinter): Code {
  switch (word) {
    case "equals":
      return equalsOperand(item, operand, printer);
    case "matches":
      return matchesPattern(item, operand, printer, (found) => found);
    case "lessthan":
    case "lessthanorequals":
    case "greaterthan":
    case "greaterthanorequals":
      return orderedValue(item, signs[word], operand, printer);
    default:
      return reject(`the switch operator \`${word}\``, operand.expression);
  }
}

function orderedValue(item: Code, sign: string, operand: SwitchOperand, printer: JsonataPrinter): Code {
  const constant = constantOf(operand.expression);
  const number = operand.isForNumber ? numberOf(constant ?? null) : undefined;
  return number !== undefined && Number.isFinite(number)
    ? numberTest(item, sign, constantCode(String(number)), printer)
    : ordered(item, sign, constant, operand.text, printer);
}

/** A scalar equals the string that spells it; other operands are compared deeply. Null equals nothing. */
function equalsOperand(item: Code, { text, expression }: SwitchOperand, printer: JsonataPrinter): Code {
  if (expression.kind !== "literal") return callHelper(printer, "isLike", item, text);
  const { value: operand } = expression;
  if (operand === null) return evaluateThen(item, constantCode("false"));
  if (typeof operand !== "string") return equal(item, text);
  const scalar = scalarWrittenAs(operand);
  return scalar === undefined ? equal(item, text) : comparison(item, "in", code(`[${stringText(operand)}, ${scalar}]`));
}

function scalarWrittenAs(text: string): string | undefined {
  if (text === "true" || text === "false") return text;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? text : undefined;
}

function differsFromOperand(item: Code, operand: SwitchOperand, printer: JsonataPrinter): Code {
  const there = infix("!=", precedence.comparison, item, constantCode("null"));
  const { expression } = operand;
  if (expression.kind === "literal" && expression.value === null) return there;
  const isPlain =
    expression.kind === "literal" &&
    (typeof expression.value !== "string" || scalarWrittenAs(expression.value) === undefined);
  const differs = isPlain
    ? infix("!=", precedence.comparison, item, operand.text)
    : callCode("not", equalsOperand(item, operand, printer));
  return infix("and", precedence.and, there, differs);
}

function matchesPattern(
  item: Code,
  { expression }: SwitchOperand,
  printer: JsonataPrinter,
  holds: (found: Code) => Code,
): Code {
  const pattern = constantOf(expression);
  if (typeof pattern !== "string") return reject("a computed regular expression", expression);
  const regex = portableRegex(pattern) ?? reject(`the regular expression \`${pattern}\``, expression);
  return presentAnd(item, printer, (text) =>
    logical("and", [
      equal(callCode("type", text), constantCode('"string"')),
      holds(callCode("contains", text, code(regexText(regex)))),
    ]),
  );
}
