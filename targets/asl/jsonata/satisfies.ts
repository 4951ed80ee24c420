import type { Call, Expression } from "../../../src/expressions/ast.ts";
import { canFail, outputs } from "../../../src/expressions/facts.ts";
import { patternFault } from "../../../src/expressions/pattern.ts";
import { hasSign } from "./binary.ts";
import { apply, type Code, code, infix, level } from "./code.ts";
import { filtered, some } from "./conditions.ts";
import { each, value } from "./each.ts";
import { compared, equal } from "./equal.ts";
import { collect, existsText, type Mode, type Use } from "./modes.ts";
import { help, named, type Printer, refuse } from "./printer.ts";
import { patternText, valueText } from "./text.ts";

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

/** `satisfies(values, operator, operand)`: as short as the path and the operand allow. */
export function eachSatisfied(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [values, operator, operand] = call.args as readonly [Expression, Expression, Expression];
  if (operator.kind !== "literal") return refuse("a switch condition whose operator is computed", call);
  const word = String(operator.value);
  const judged = (subject: Subject): Code =>
    each(operand, printer, mode, (text) => use(judge(subject, word, { text, expression: operand }, printer)));
  const keeps = outputs(operand) !== "one" || (canFail(values) && canFail(operand));
  const judgedLater = (subject: Subject): Code =>
    keeps ? named(subject.text, printer, "values", (text) => judged({ ...subject, text })) : judged(subject);
  if (values.kind !== "array") {
    return each(values, printer, mode, (list) => judgedLater({ isList: true, text: help(printer, "listOf", list) }));
  }
  const items = values.items ?? { kind: "comma", items: [] };
  if (outputs(items) !== "many") return judgedLater({ isList: false, text: value(items, printer) });
  return judgedLater({ isList: true, text: each(items, printer, collect, collect.pass) });
}

function judge(subject: Subject, word: string, operand: Operand, printer: Printer): Code {
  const { isList, text } = subject;
  switch (word) {
    case "exists":
      return isList ? some(text) : existsText(text);
    case "notexists":
      return isList ? equal(apply("count", text), code("0")) : apply("not", existsText(text));
    case "null":
      return any(subject, (item) => equal(item, code("null")));
    case "notnull":
      return isList ? every(text, printer, (item) => compared(item, "!=", code("null"))) : compared(text, "!=", code("null"));
    case "notequals":
      return isList
        ? every(text, printer, (item) => unlike(item, operand, printer))
        : named(text, printer, "value", (item) => unlike(item, operand, printer));
    case "notmatches":
      return isList
        ? every(text, printer, (item) => matching("matchesNot", item, operand, printer))
        : matching("matchesNot", text, operand, printer);
    default:
      return any(subject, (item) => holds(item, word, operand, printer));
  }
}

/** Whether a test, which is false of nothing, holds for the value or for some of several. */
const any = ({ isList, text }: Subject, holds: (item: Code) => Code): Code =>
  isList ? some(filtered(text, holds(code("value")))) : holds(text);

/** Whether there are values, and a test holds for all. */
const every = (boxes: Code, printer: Printer, holds: (item: Code) => Code): Code =>
  named(boxes, printer, "values", (list) =>
    infix("and", level.and, some(list), equal(apply("count", filtered(list, apply("not", holds(code("value"))))), code("0"))),
  );

function holds(item: Code, word: string, operand: Operand, printer: Printer): Code {
  switch (word) {
    case "equals":
      return like(item, operand, printer);
    case "matches":
      return matching("matches", item, operand, printer);
    case "lessthan":
      return ordered(item, "<", operand, printer);
    case "lessthanorequals":
      return ordered(item, "<=", operand, printer);
    case "greaterthan":
      return ordered(item, ">", operand, printer);
    case "greaterthanorequals":
      return ordered(item, ">=", operand, printer);
    default:
      return refuse(`the switch operator \`${word}\``, operand.expression);
  }
}

/** Scalars equal a text that is written like them; any other operand equals what is deeply equal. Null equals nothing. */
function like(item: Code, { text, expression }: Operand, printer: Printer): Code {
  if (expression.kind !== "literal") return help(printer, "isLike", item, text);
  const { value: operand } = expression;
  if (operand === null) return code("false");
  const scalar = typeof operand === "string" ? scalarLike(operand) : undefined;
  return scalar === undefined ? equal(item, text) : compared(item, "in", code(`[${valueText(operand)}, ${scalar}]`));
}

/** The number or boolean that is written like a text. */
function scalarLike(text: string): string | undefined {
  if (text === "true" || text === "false") return text;
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? text : undefined;
}

function unlike(item: Code, operand: Operand, printer: Printer): Code {
  const there = infix("!=", level.comparison, item, code("null"));
  const { expression } = operand;
  if (expression.kind === "literal" && expression.value === null) return there;
  const isPlain = expression.kind === "literal" && (typeof expression.value !== "string" || scalarLike(expression.value) === undefined);
  const differs = isPlain ? infix("!=", level.comparison, item, operand.text) : apply("not", like(item, operand, printer));
  return infix("and", level.and, there, differs);
}

function ordered(item: Code, operator: string, { text, expression }: Operand, printer: Printer): Code {
  const isNumber = expression.kind === "literal" && typeof expression.value === "number";
  return hasSign(help(printer, isNumber ? "numeralOrder" : "orderOf", item, text), operator);
}

function matching(helper: "matches" | "matchesNot", item: Code, { expression }: Operand, printer: Printer): Code {
  if (expression.kind !== "literal" || typeof expression.value !== "string")
    return refuse("a regular expression that is computed", expression);
  if (patternFault(expression.value)) return refuse(`the regular expression \`${expression.value}\``, expression);
  return help(printer, helper, item, code(patternText(expression.value)));
}
