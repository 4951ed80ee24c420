import type { Call, Expression } from "../ast.ts";
import { builtinOf } from "../builtins.ts";
import { canFail, factsOf } from "../facts.ts";
import { functionName } from "../javascript/code.ts";
import type { Environment } from "./environment.ts";
import { writeRelation } from "./relation.ts";
import { writeList } from "./stream.ts";
import { write, writeOne, writeTruth } from "./write.ts";
import { atom, inside, isSimple, level, listed, type Written } from "./written.ts";

/** A call of a function of the core. */
export function writeCall(expression: Call, environment: Environment): Written | undefined {
  const { name, args } = expression;
  const [first] = args as readonly [Expression];
  switch (`${name}/${args.length}`) {
    case "first/1":
      return writeFirst(first, environment);
    case "exists/1":
      return writeExists(first, environment);
    case "truthy/1":
      return writeTruthy(first, environment);
    case "not/1":
      return writeNot(first, environment);
    case "satisfies/3":
      return writeSatisfies(expression, environment);
    case "relates/3":
    case "comparesNodes/3":
      return writeRelation(expression, environment);
    case "attribute/2":
      return writeAttribute(expression, environment);
    case "error/1":
      return writeFunction(expression, "raise", environment);
    default:
      return builtinOf(name, args.length)?.kind === "value"
        ? writeFunction(expression, functionName(name, args.length), environment)
        : undefined;
  }
}

/** A function of values: arguments that can fail are evaluated in their order, so at most one may. */
function writeFunction({ name, args }: Call, helper: string | undefined, environment: Environment): Written | undefined {
  const written = args.map((argument) => writeOne(argument, environment));
  if (helper === undefined || args.filter(canFail).length > 1 || !written.every((argument) => argument !== undefined)) return undefined;
  const type = builtinOf(name, args.length)?.returns;
  const texts = written.map((argument) => inside(argument, level.choice));
  const use = changing.has(name) ? written[0]?.use : undefined;
  return atom(listed(`${environment.helper(helper)}(`, texts, ")"), { type, use, isPresent: type !== undefined && type !== "null" });
}

/** Functions that give their first argument with something changed in it: the type is the same. */
const changing: ReadonlySet<string> = new Set(["merge", "absorb", "place"]);

/** The first of what is there, such as a member or what takes its place. */
function writeFirst(expression: Expression, environment: Environment): Written | undefined {
  if (expression.kind !== "comma") return write(expression, environment);
  const [first, second, ...rest] = expression.items;
  if (!first || !second || rest.length > 0) return undefined;
  const [value, fallback] = [write(first, environment), write(second, environment)];
  if (!fallback) return undefined;
  if (!value) return writeGuarded(first, fallback, environment);
  if (!value.isOptional) return value;
  if (second.kind === "literal" && second.value === null)
    return { text: `${inside(value, level.or)} ?? null`, level: level.nullish, use: value.use };
  return isSimple(value.text) ? standingIn([value.text], value, fallback) : undefined;
}

/** A value that is there when what it is made of is; else another. */
function writeGuarded(expression: Expression, fallback: Written, environment: Environment): Written | undefined {
  const guards = new Set<string>();
  const value = writeOne(expression, { ...environment, guards });
  return value && guards.size > 0 ? standingIn([...guards], value, fallback) : undefined;
}

function standingIn(guards: readonly string[], value: Written, fallback: Written): Written {
  const test = guards.map((guard) => `${guard} === undefined`).join(" || ");
  const text = `${test} ? ${inside(fallback, level.choice)} : ${inside(value, level.choice)}`;
  return { text, level: level.choice, isOptional: fallback.isOptional };
}

function writeExists(expression: Expression, environment: Environment): Written | undefined {
  const value = write(expression, environment);
  if (!value) return writeAny(expression, environment);
  if (!value.isOptional) return canFail(expression) ? undefined : atom("true", { type: "boolean" });
  return { text: `${inside(value, level.equality)} !== undefined`, level: level.equality, type: "boolean" };
}

/** Whether a list has elements. */
function writeAny(expression: Expression, environment: Environment): Written | undefined {
  const list = canFail(expression) ? undefined : writeList(expression, environment);
  return list && { text: `${inside(list, level.member)}.length > 0`, level: level.order, type: "boolean" };
}

/** Whether the one output that there may be is true: nothing is as null here. */
function writeTruthy(expression: Expression, environment: Environment): Written | undefined {
  const value = write(expression, environment);
  if (!value || value.type === "boolean") return value;
  return atom(`${environment.helper("isTrue")}(${value.isOptional ? `${inside(value, level.or)} ?? null` : value.text})`, {
    type: "boolean",
  });
}

function writeNot(expression: Expression, environment: Environment): Written | undefined {
  const truth = writeTruth(expression, environment);
  return truth && { text: `!${inside(truth, level.unary)}`, level: level.unary, type: "boolean" };
}

/** A switch condition over what one path selects. */
function writeSatisfies(expression: Call, environment: Environment): Written | undefined {
  const [values, operator, operand] = expression.args as readonly [Expression, Expression, Expression];
  const selected = values.kind === "array" && values.items?.kind === "query" ? write(values.items, environment) : undefined;
  if (!selected?.isOptional || operator.kind !== "literal") return writeFunction(expression, "satisfies", environment);
  const value = inside(selected, level.equality);
  switch (operator.value) {
    case "exists":
      return { text: `${value} !== undefined`, level: level.equality, type: "boolean" };
    case "notexists":
      return { text: `${value} === undefined`, level: level.equality, type: "boolean" };
    case "null":
      return { text: `${value} === null`, level: level.equality, type: "boolean" };
    default: {
      const [how, what] = [writeOne(operator, environment), writeOne(operand, environment)];
      const given = `${environment.helper("present")}(${selected.text})`;
      return how && what && atom(`${environment.helper("satisfies")}(${given}, ${how.text}, ${what.text})`, { type: "boolean" });
    }
  }
}

/** An attribute of an event, in whatever case. */
function writeAttribute({ args }: Call, environment: Environment): Written | undefined {
  const [event, name] = args.map((argument) => writeOne(argument, environment));
  if (!event || !name || factsOf(args[1]!).type !== "string") return undefined;
  return atom(`${environment.helper("attributeOf")}(${event.text}, ${name.text})`, { isOptional: true });
}
