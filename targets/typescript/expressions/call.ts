import {
  builtinOf,
  type Call,
  canFail,
  type Expression,
  factsOf,
  functionName,
} from "../../../src/expressions/index.ts";
import { type Environment, unguarded } from "./environment.ts";
import { writeInOrder } from "./hoist.ts";
import { writeLiteral } from "./literal.ts";
import { isDefinite } from "./query.ts";
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
    case "switchCondition/3":
      return writeSwitchCondition(expression, environment);
    case "compareInCondition/3":
    case "comparesNodes/3":
      return writeRelation(expression, environment);
    case "attribute/2":
      return writeAttribute(expression, environment);
    case "error/1":
      return writeFunction(expression, "raise", environment);
    default:
      return writeCallOfValues(expression, environment);
  }
}

function writeCallOfValues(expression: Call, environment: Environment): Written | undefined {
  const { name, args } = expression;
  if (name === "length") return writeLength(expression, environment);
  if (name === "nan" || name === "infinite")
    return writeLiteral(name === "nan" ? Number.NaN : Number.POSITIVE_INFINITY);
  if (builtinOf(name, args.length)?.kind !== "value") return undefined;
  return writeFunction(expression, functionName(name, args.length), environment);
}

/** A function of values. */
function writeFunction(
  { name, args }: Call,
  helper: string | undefined,
  environment: Environment,
): Written | undefined {
  const written = helper === undefined ? undefined : writeInOrder(args, environment);
  if (helper === undefined || !written) return undefined;
  const type = builtinOf(name, args.length)?.returns;
  const texts = written.map((argument) => inside(argument, level.choice));
  const use = changing.has(name) ? written[0]?.use : undefined;
  return atom(listed(`${environment.helper(helper)}(`, texts, ")"), {
    type,
    use,
    isPresent: type !== undefined && type !== "null",
  });
}

/** The length of a list that is just made is JavaScript's own. */
function writeLength(expression: Call, environment: Environment): Written | undefined {
  const [list] = expression.args as readonly [Expression];
  const value = list.kind === "array" ? writeOne(list, environment) : undefined;
  if (list.kind !== "array") return writeFunction(expression, functionName("length", 1), environment);
  return value && atom(`${inside(value, level.member)}.length`, { type: "number", isPresent: true });
}

/** Functions that give their first argument with something changed in it: the type is the same. */
const changing: ReadonlySet<string> = new Set(["merge", "mergeResult", "place"]);

/** The first of what is there, such as a member or what takes its place. */
function writeFirst(expression: Expression, outside: Environment): Written | undefined {
  const environment = unguarded(outside);
  if (expression.kind !== "comma") return write(expression, environment);
  const [first, second, ...rest] = expression.items;
  if (!first || !second || rest.length > 0) return undefined;
  const guards = new Set<string>();
  const [value, fallback] = [write(first, { ...environment, guards }), write(second, environment)];
  if (!value || !fallback) return undefined;
  if (guards.size > 0)
    return !value.isOptional && looksFirst(first) ? standingIn([...guards], value, fallback) : undefined;
  if (!value.isOptional) return value;
  if (second.kind === "literal" && second.value === null)
    return { text: `${inside(value, level.or)} ?? null`, level: level.nullish, use: value.use };
  return isSimple(value.text) ? standingIn([value.text], value, fallback) : undefined;
}

/** Whether an expression asks whether its parts are there before it does anything that can fail. */
const looksFirst = (expression: Expression): boolean =>
  !canFail(expression) || (expression.kind === "call" && expression.name !== "first" && !expression.args.some(canFail));

function standingIn(guards: readonly string[], value: Written, fallback: Written): Written {
  const test = guards.map((guard) => `${guard} === undefined`).join(" || ");
  const text = `${test} ? ${inside(fallback, level.choice)} : ${inside(value, level.choice)}`;
  return { text, level: level.choice, isOptional: fallback.isOptional };
}

function writeExists(expression: Expression, outside: Environment): Written | undefined {
  const environment = unguarded(outside);
  if (factsOf(expression).outputs === "many") return writeAny(expression, environment);
  const value = write(expression, environment);
  if (!value) return undefined;
  if (!value.isOptional) return canFail(expression) ? undefined : atom("true", { type: "boolean" });
  return { text: `${inside(value, level.equality)} !== undefined`, level: level.equality, type: "boolean" };
}

/** Whether a list has elements. */
function writeAny(expression: Expression, environment: Environment): Written | undefined {
  const list = canFail(expression) ? undefined : writeList(expression, environment);
  return list && { text: `${inside(list, level.member)}.length > 0`, level: level.order, type: "boolean" };
}

/** Whether the one output that there may be is true: nothing is as null here. */
function writeTruthy(expression: Expression, outside: Environment): Written | undefined {
  const environment = unguarded(outside);
  const value = write(expression, environment);
  if (!value || (value.type === "boolean" && !value.isOptional)) return value;
  return atom(
    `${environment.helper("isTrue")}(${value.isOptional ? `${inside(value, level.or)} ?? null` : value.text})`,
    {
      type: "boolean",
    },
  );
}

function writeNot(expression: Expression, environment: Environment): Written | undefined {
  const truth = writeTruth(expression, environment);
  return truth && { text: `!${inside(truth, level.unary)}`, level: level.unary, type: "boolean" };
}

/** A switch condition over what one path selects. */
function writeSwitchCondition(expression: Call, environment: Environment): Written | undefined {
  const [values, operator, operand] = expression.args as readonly [Expression, Expression, Expression];
  const nodes =
    values.kind === "array" && values.items?.kind === "query" && values.items.segments.every(isDefinite)
      ? values.items
      : undefined;
  if (!nodes || operator.kind !== "literal" || factsOf(operand).outputs !== "one" || canFail(operand))
    return writeFunction(expression, "switchCondition", environment);
  const selected = write(nodes, unguarded(environment));
  if (!selected?.isOptional) return writeFunction(expression, "switchCondition", environment);
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
      return (
        how &&
        what &&
        atom(`${environment.helper("switchCondition")}(${given}, ${how.text}, ${what.text})`, { type: "boolean" })
      );
    }
  }
}

/** An attribute of an event, in whatever case. */
function writeAttribute({ args }: Call, environment: Environment): Written | undefined {
  if (args.every(canFail)) return undefined;
  const [event, name] = args.map((argument) => writeOne(argument, unguarded(environment)));
  if (!event || !name || factsOf(args[1]!).type !== "string") return undefined;
  return atom(`${environment.helper("attributeOf")}(${event.text}, ${name.text})`, { isOptional: true });
}
