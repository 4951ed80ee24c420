import { type Call, canFail, type Expression, outputs, patternFault } from "../../../../src/expressions/index.ts";
import {
  apply,
  type Code,
  code,
  compared,
  constantCode,
  discarding,
  equal,
  infix,
  linked,
  patternText,
  precedence,
  referenceCode,
  stringText,
} from "../code.ts";
import { constantOf, help, type Mode, named, type Printer, refuse, type Use } from "../context.ts";
import { collect, existsText, tested } from "../outputs.ts";
import { eachOutput, firstOutput } from "../printer.ts";
import { filtered, ordered, some } from "./conditions.ts";
import { eachOf, type Family } from "./descriptor.ts";

/** How JSONata writes the operators that ask for an order. */
const signs = { lessthan: "<", lessthanorequals: "<=", greaterthan: ">", greaterthanorequals: ">=" } as const;

/** What a condition is about: one value that may be missing, or the values in boxes. */
interface Subject {
  readonly isList: boolean;
  readonly text: Code;
}

/** The operand of a condition, and its value where that is written out. */
interface Operand {
  readonly text: Code;
  readonly expression: Expression;
}

/** The condition of a case of a switch. */
export const switchConditions: Family = { "switchCondition/3": eachOf(eachSwitchCondition) };

/** `switchCondition(values, operator, operand)`: as short as the path and the operand allow. */
function eachSwitchCondition(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [values, operator, operand] = call.args as readonly [Expression, Expression, Expression];
  if (operator.kind !== "literal") return refuse("a switch condition whose operator is computed", call);
  const word = String(operator.value);
  const judged = (subject: Subject): Code =>
    eachOutput(operand, printer, mode, (output) => {
      const judged = (text: Code) => use(judge(subject, word, { text, expression: operand }, printer));
      return canFail(operand) ? named(output, printer, "operand", judged) : judged(output);
    });
  const keeps = outputs(operand) !== "one" || (canFail(values) && canFail(operand));
  const judgedLater = (subject: Subject): Code =>
    keeps ? named(subject.text, printer, "values", (text) => judged({ ...subject, text })) : judged(subject);
  if (values.kind !== "array") {
    return eachOutput(values, printer, mode, (list) =>
      judgedLater({ isList: true, text: help(printer, "listOf", list) }),
    );
  }
  const items = values.items ?? { kind: "comma", items: [] };
  if (outputs(items) !== "many") return judgedLater({ isList: false, text: firstOutput(items, printer) });
  return judgedLater({ isList: true, text: eachOutput(items, printer, collect, collect.pass) });
}

function judge(subject: Subject, word: string, operand: Operand, printer: Printer): Code {
  const { isList, text } = subject;
  switch (word) {
    case "exists":
      return isList ? some(text) : existsText(text);
    case "notexists":
      return isList ? equal(apply("count", text), constantCode("0")) : apply("not", existsText(text));
    case "null":
      return any(subject, (item) => equal(item, constantCode("null")));
    case "notnull":
      return all(subject, printer, (item) => compared(item, "!=", constantCode("null")));
    case "notequals":
      return all(subject, printer, (item) => unlike(item, operand, printer));
    case "notmatches":
      return all(subject, printer, (item) => matching(item, operand, printer, (found) => apply("not", found)));
    default:
      return any(subject, (item) => holds(item, word, operand, printer));
  }
}

/** Whether a test, which is false of nothing, holds for the value or for some of several. */
const any = ({ isList, text }: Subject, holds: (item: Code) => Code): Code =>
  isList ? some(filtered(text, holds(referenceCode("value")))) : holds(text);

/** Whether there are values, and a test, which is false of nothing, holds for all. */
const all = ({ isList, text }: Subject, printer: Printer, holds: (item: Code) => Code): Code =>
  isList ? every(text, printer, holds) : tested(text, printer, holds);

const every = (boxes: Code, printer: Printer, holds: (item: Code) => Code): Code =>
  named(boxes, printer, "values", (list) =>
    infix(
      "and",
      precedence.and,
      some(list),
      equal(apply("count", filtered(list, apply("not", holds(referenceCode("value"))))), constantCode("0")),
    ),
  );

function holds(item: Code, word: string, operand: Operand, printer: Printer): Code {
  switch (word) {
    case "equals":
      return like(item, operand, printer);
    case "matches":
      return matching(item, operand, printer, (found) => found);
    case "lessthan":
    case "lessthanorequals":
    case "greaterthan":
    case "greaterthanorequals":
      return ordered(item, signs[word], constantOf(operand.expression), operand.text, printer);
    default:
      return refuse(`the switch operator \`${word}\``, operand.expression);
  }
}

/**
 * Scalars equal a text that is written like them; any other operand equals what is deeply equal. Null equals nothing.
 */
function like(item: Code, { text, expression }: Operand, printer: Printer): Code {
  if (expression.kind !== "literal") return help(printer, "isLike", item, text);
  const { value: operand } = expression;
  if (operand === null) return discarding(item, constantCode("false"));
  if (typeof operand !== "string") return equal(item, text);
  const scalar = scalarLike(operand);
  return scalar === undefined ? equal(item, text) : compared(item, "in", code(`[${stringText(operand)}, ${scalar}]`));
}

/** The number or boolean that is written like a text. */
function scalarLike(text: string): string | undefined {
  if (text === "true" || text === "false") return text;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? text : undefined;
}

function unlike(item: Code, operand: Operand, printer: Printer): Code {
  const there = infix("!=", precedence.comparison, item, constantCode("null"));
  const { expression } = operand;
  if (expression.kind === "literal" && expression.value === null) return there;
  const isPlain =
    expression.kind === "literal" &&
    (typeof expression.value !== "string" || scalarLike(expression.value) === undefined);
  const differs = isPlain
    ? infix("!=", precedence.comparison, item, operand.text)
    : apply("not", like(item, operand, printer));
  return infix("and", precedence.and, there, differs);
}

function matching(item: Code, { expression }: Operand, printer: Printer, holds: (found: Code) => Code): Code {
  const pattern = constantOf(expression);
  if (typeof pattern !== "string") return refuse("a regular expression that is computed", expression);
  if (patternFault(pattern)) return refuse(`the regular expression \`${pattern}\``, expression);
  return tested(item, printer, (text) =>
    linked("and", [
      equal(apply("type", text), constantCode('"string"')),
      holds(apply("contains", text, code(patternText(pattern)))),
    ]),
  );
}
