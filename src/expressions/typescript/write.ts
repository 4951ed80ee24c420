import type { Conditional, Expression, Interpolation, Let, Logic, ObjectConstruction, Pipe } from "../ast.ts";
import { canFail, factsOf } from "../facts.ts";
import { writeAccess } from "./access.ts";
import { writeBinary } from "./binary.ts";
import { writeCall } from "./call.ts";
import { type Environment, unguarded, withInput, withVariable } from "./environment.ts";
import { quoted, writeLiteral } from "./literal.ts";
import { writeQuery } from "./query.ts";
import { writeList } from "./stream.ts";
import { propertyText } from "./use.ts";
import { atom, inside, isSimple, level, listed, type Written } from "./written.ts";

/**
 * An expression as TypeScript that reads as if written by hand; undefined where that has no exact form. Gives one value, or undefined for no output.
 */
export function write(expression: Expression, environment: Environment): Written | undefined {
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
      return writeObject(expression, environment);
    case "array":
      return expression.items ? writeList(expression.items, environment) : atom("[]", { type: "array", isPresent: true });
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

function writeMore(expression: Expression, environment: Environment): Written | undefined {
  switch (expression.kind) {
    case "binary":
      return writeBinary(expression, environment);
    case "call":
      return writeCall(expression, environment);
    case "access":
      return writeAccess(expression, environment);
    case "interpolation":
      return writeInterpolation(expression, environment);
    default:
      return undefined;
  }
}

/** A value that is there: what may give nothing has no form where one value is wanted, unless something stands in for it. */
export function writeOne(expression: Expression, environment: Environment): Written | undefined {
  const written = write(expression, environment);
  if (!written?.isOptional) return written;
  if (written.sure !== undefined) return { ...written, text: written.sure, isOptional: false, isPresent: false };
  if (!environment.guards || !isSimple(written.text)) return undefined;
  environment.guards.add(written.text);
  return { ...written, isOptional: false };
}

/** A condition as jq takes it: false and null are false. */
export function writeTruth(expression: Expression, environment: Environment): Written | undefined {
  const written = writeOne(expression, environment);
  if (!written || written.type === "boolean") return written;
  return atom(`${environment.helper("isTrue")}(${written.text})`, { type: "boolean" });
}

function writeObject({ entries }: ObjectConstruction, environment: Environment): Written | undefined {
  const parts: string[] = [];
  for (const { key, value } of entries) {
    const written = writeOne(value, environment);
    if (!written || key.kind !== "literal" || typeof key.value !== "string") return undefined;
    parts.push(memberText(key.value, inside(written, level.choice)));
  }
  return atom(listed("{", parts, "}", " "), { type: "object", isPresent: true });
}

/** `__proto__` is computed, as it would set the prototype otherwise. */
function memberText(name: string, value: string): string {
  if (name === "__proto__") return `["__proto__"]: ${value}`;
  return name === value ? name : `${propertyText(name)}: ${value}`;
}

function writePipe({ left, right }: Pipe, environment: Environment): Written | undefined {
  const value = writeOne(left, environment);
  return value && mayStandIn(value, right, usesOfInput(right)) ? write(right, withInput(environment, value)) : undefined;
}

function writeLet({ name, value, body }: Let, environment: Environment): Written | undefined {
  const written = writeOne(value, environment);
  const uses = factsOf(body).free.get(name) ?? 0;
  return written && mayStandIn(written, body, uses) ? write(body, withVariable(environment, name, written)) : undefined;
}

/** Whether a value can be written where it is used: it is a name or a path, or what it does happens once and first either way. */
const mayStandIn = ({ text }: Written, body: Expression, uses: number): boolean =>
  /^[\w$.?]+$/.test(text) || (uses === 1 && !canFail(body));

const usesOfInput = (expression: Expression): number => (expression.kind === "identity" ? 1 : factsOf(expression).usesInput ? 2 : 0);

function writeConditional({ condition, then, otherwise }: Conditional, environment: Environment): Written | undefined {
  const alone = unguarded(environment);
  const [test, yes, no] = [writeTruth(condition, environment), writeWay(then, alone), writeWay(otherwise, alone)];
  if (!test || !yes || !no) return undefined;
  const flat = `${inside(test, level.nullish)} ? ${inside(yes, level.choice)} : ${inside(no, level.choice)}`;
  const text = flat.length > 90 ? `${inside(test, level.nullish)}\n? ${inside(yes, level.choice)}\n: ${inside(no, level.choice)}` : flat;
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
  return writeOne(expression, environment) ?? write(expression, environment);
}

function writeLogic({ operator, left, right }: Logic, environment: Environment): Written | undefined {
  const [a, b] = [writeTruth(left, environment), writeTruth(right, unguarded(environment))];
  if (!a || !b) return undefined;
  const own = level[operator];
  return { text: `${inside(a, own)} ${operator === "and" ? "&&" : "||"} ${inside(b, own)}`, level: own, type: "boolean" };
}

/** The last part is evaluated first: that shows only where two can fail. */
function writeInterpolation({ parts }: Interpolation, environment: Environment): Written | undefined {
  if (parts.filter((part) => typeof part !== "string" && canFail(part)).length > 1) return undefined;
  const texts: string[] = [];
  for (const part of parts) {
    const written =
      typeof part === "string"
        ? quoted(part)
            .slice(1, -1)
            .replace(/`|\$\{/g, "\\$&")
        : writeOne(part, environment);
    if (written === undefined) return undefined;
    texts.push(typeof written === "string" ? written : `\${${textOf(written, environment)}}`);
  }
  return atom(`\`${texts.join("")}\``, { type: "string", isPresent: true });
}

const textOf = (written: Written, { helper }: Environment): string =>
  written.type === "string" || written.type === "boolean" ? written.text : `${helper("toText")}(${written.text})`;
