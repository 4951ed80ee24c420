import {
  type Alternative,
  type Conditional,
  canFail,
  type Expression,
  factsOf,
  type Interpolation,
  type Let,
  type Logic,
  type Pipe,
} from "../../../src/expressions/index.ts";
import { writeAccess, writeSlice } from "./access.ts";
import { writeBinary } from "./binary.ts";
import { writeCall } from "./call.ts";
import { type Environment, unguarded, withInput, withVariable } from "./environment.ts";
import { standing, writeInOtherOrder } from "./hoist.ts";
import { quoted, writeLiteral } from "./literal.ts";
import { writeObject } from "./object.ts";
import { writeQuery } from "./query.ts";
import { isNothing } from "./stages.ts";
import { writeList } from "./stream.ts";
import { writeUpdate } from "./update.ts";
import { atom, inside, isSimple, level, type Written } from "./written.ts";

/**
 * An expression as TypeScript that reads as if written by hand; undefined where that has no exact form. Gives one value, or undefined for no output.
 */
export function write(expression: Expression, environment: Environment): Written | undefined {
  if (factsOf(expression).weight.depth > deepest) return undefined;
  switch (expression.kind) {
    case "literal":
      return writeLiteral(expression.value);
    case "identity":
      return environment.input ?? atom("null", { type: "null" });
    case "variable":
      return environment.variable(expression.name);
    case "query":
      return writeQuery(expression, environment);
    case "object":
      return writeObject(expression.entries, environment);
    case "array":
      return expression.items
        ? writeList(expression.items, environment)
        : atom("[]", { type: "array", isPresent: true });
    case "pipe":
      return writePipe(expression, environment);
    case "let":
      return writeLet(expression, environment);
    case "if":
      return writeConditional(expression, environment);
    case "logic":
      return writeLogic(expression, environment);
    default:
      return writeMore(expression, environment);
  }
}

/** What is nested deeper does not read well. */
const deepest = 200;

function writeMore(expression: Expression, environment: Environment): Written | undefined {
  switch (expression.kind) {
    case "binary":
      return writeBinary(expression, environment);
    case "call":
      return writeCall(expression, environment);
    case "access":
      return writeAccess(expression, environment);
    case "slice":
      return writeSlice(expression, environment);
    case "alternative":
      return writeAlternative(expression, environment);
    case "update":
      return writeUpdate(expression, environment);
    case "interpolation":
      return writeInterpolation(expression, environment);
    default:
      return undefined;
  }
}

/** A value that is there: what may give nothing has no form where one value is wanted, unless something stands in for it. */
export function writeOne(expression: Expression, environment: Environment): Written | undefined {
  const written = write(expression, environment);
  return written && sureOf(written, environment);
}

function sureOf(written: Written, { guards }: Environment): Written | undefined {
  if (!written.isOptional) return written;
  if (written.sure !== undefined) return { ...written, text: written.sure, isOptional: false, isPresent: false };
  if (!guards || !isSimple(written.text)) return undefined;
  guards.add(written.text);
  return { ...written, isOptional: false };
}

/** A condition as jq takes it: false and null are false. */
export function writeTruth(expression: Expression, environment: Environment): Written | undefined {
  const written = writeOne(expression, environment);
  if (!written || written.type === "boolean") return written;
  return atom(`${environment.helper("isTrue")}(${written.text})`, { type: "boolean" });
}

function writePipe({ left, right }: Pipe, environment: Environment): Written | undefined {
  const value = standing(left, right, { kind: "input" }, environment);
  return value && write(right, withInput(value.around, value.written));
}

function writeLet({ name, value, body }: Let, environment: Environment): Written | undefined {
  const named = standing(value, body, { kind: "variable", name }, environment);
  return named && write(body, withVariable(named.around, name, named.written));
}

function writeConditional({ condition, then, otherwise }: Conditional, environment: Environment): Written | undefined {
  const alone = unguarded(environment);
  const [test, yes, no] = [writeTruth(condition, environment), writeWay(then, alone), writeWay(otherwise, alone)];
  if (!test || !yes || !no) return undefined;
  const flat = `${inside(test, level.nullish)} ? ${inside(yes, level.choice)} : ${inside(no, level.choice)}`;
  const text =
    flat.length > 90
      ? `${inside(test, level.nullish)}\n? ${inside(yes, level.choice)}\n: ${inside(no, level.choice)}`
      : flat;
  return {
    text,
    level: level.choice,
    isOptional: yes.isOptional || no.isOptional,
    isPresent: yes.isPresent && no.isPresent,
    use: yes.use === no.use ? yes.use : undefined,
    type: yes.type === no.type ? yes.type : undefined,
  };
}

/** One way of a choice: what is sure to be there is taken to be. */
function writeWay(expression: Expression, environment: Environment): Written | undefined {
  if (isNothing(expression)) return atom("undefined", { isOptional: true });
  const written = write(expression, environment);
  return written && (sureOf(written, environment) ?? written);
}

/** `A // B`: JavaScript's `??` takes null alone for nothing, but here false is too. */
function writeAlternative({ left, right }: Alternative, environment: Environment): Written | undefined {
  const alone = unguarded(environment);
  const [value, other] = [write(left, alone), write(right, alone)];
  if (!value || !other) return undefined;
  const text = value.isOptional ? `${inside(value, level.or)} ?? null` : value.text;
  if (!canFail(right) && !other.isOptional) return atom(`${environment.helper("either")}(${text}, ${other.text})`);
  if (!isSimple(value.text)) return undefined;
  return {
    text: `${environment.helper("isTrue")}(${text}) ? ${value.text}${value.isOptional ? "!" : ""} : ${inside(other, level.choice)}`,
    level: level.choice,
    isOptional: other.isOptional,
  };
}

function writeLogic({ operator, left, right }: Logic, environment: Environment): Written | undefined {
  const [a, b] = [writeTruth(left, environment), writeTruth(right, unguarded(environment))];
  if (!a || !b) return undefined;
  const own = level[operator];
  return {
    text: `${inside(a, own)} ${operator === "and" ? "&&" : "||"} ${inside(b, own)}`,
    level: own,
    type: "boolean",
  };
}

/** The last part is evaluated first. */
function writeInterpolation({ parts }: Interpolation, environment: Environment): Written | undefined {
  const values = writeInOtherOrder(parts.filter((part) => typeof part !== "string").reverse(), environment);
  if (!values) return undefined;
  let next = values.length;
  const texts = parts.map((part) =>
    typeof part === "string" ? templateText(part) : `\${${textOf(values[--next]!, environment)}}`,
  );
  return atom(`\`${texts.join("")}\``, { type: "string", isPresent: true });
}

const templateText = (text: string): string =>
  quoted(text)
    .slice(1, -1)
    .replace(/`|\$\{/g, "\\$&");

const textOf = (written: Written, { helper }: Environment): string =>
  written.type === "string" || written.type === "boolean" ? written.text : `${helper("toText")}(${written.text})`;
