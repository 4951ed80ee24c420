import type { ts } from "ts-morph";
import {
  and,
  balanced,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  type Expression,
  factsOf,
  firstOr,
  literal,
  object,
  query,
  variable,
} from "../../../expressions/index.ts";
import type { ScriptExpression } from "../../../ir/protocols.ts";
import { own } from "../../../json.ts";
import type { Parsed, Typescript } from "./parse.ts";
import {
  either,
  give,
  isOf,
  isPresent,
  memberOf,
  not,
  orNull,
  perhaps,
  present,
  required,
  selected,
  type Translation,
  type Type,
  truthOf,
  under,
  untranslatable,
  type Value,
  value,
} from "./values.ts";

/**
 * What an arrow function does as an expression over `$params` and the variables that it uses; undefined for one that does anything else than to make a value
 * of them. Where JavaScript and the expression only agree on values of some types, `when` asks for these.
 *
 *   ({ n, ...rest }) => ({ ...rest, next: n + 1 }) → ($params | delpaths([["n"]])) + { next: ($params.n + 1) } when both are numbers
 */
export function expressionOf({ ts, expression }: Parsed, variables: readonly string[]): ScriptExpression | undefined {
  if (!ts.isArrowFunction(expression) || expression.modifiers?.length) return undefined;
  const body = bodyOf(expression, ts);
  const names = new Map(variables.map((name) => [name, value(variable(name))] as const));
  const conditions: Expression[] = [];
  const translation: Translation = { ts, names, conditions, known: [] };
  const params = value(variable("params"), "object");
  const [parameter, ...others] = expression.parameters;
  try {
    if (!body || others.length > 0) return undefined;
    if (parameter && (parameter.initializer || parameter.dotDotDotToken)) return undefined;
    const inner = parameter ? declared(parameter.name, params, translation) : translation;
    const result = resultOf(translate(body, inner));
    return factsOf(result).weight.size > largest ? undefined : { when: balanced("and", conditions), value: result };
  } catch (error) {
    if (error === untranslatable || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Expressions of more parts read better, and are computed faster, as the functions that they are. */
const largest = 300;

/** What a function gives: its one expression, or that of its one statement. */
function bodyOf({ body }: ts.ArrowFunction, ts: Typescript): ts.Expression | undefined {
  if (!ts.isBlock(body)) return body;
  const [only, ...others] = body.statements;
  return only && others.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
}

/** The names that a pattern gives to parts of a value, beside those that there are. */
function declared(pattern: ts.BindingName, whole: Value, translation: Translation): Translation {
  const { ts, names } = translation;
  if (ts.isIdentifier(pattern)) return { ...translation, names: new Map([...names, [pattern.text, whole]]) };
  if (!ts.isObjectBindingPattern(pattern)) return give();
  const taken: string[] = [];
  return pattern.elements.reduce((inner, { name, propertyName, initializer, dotDotDotToken }) => {
    if (initializer) return give();
    if (dotDotDotToken) return declared(name, without(required(whole, "object", inner), taken), inner);
    const key = propertyName ?? name;
    taken.push(ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : give());
    return declared(name, memberOf(whole, taken.at(-1)!, inner), inner);
  }, translation);
}

/** An object without some members. */
function without({ expression }: Value, names: readonly string[]): Value {
  if (names.length === 0) return value(expression, "object");
  const paths = literal(names.map((name) => [name]));
  return value(call("delpaths", expression, paths), "object");
}

/** What an expression gives. */
function translate(node: ts.Expression, translation: Translation): Value {
  const { ts, names } = translation;
  if (ts.isParenthesizedExpression(node)) return translate(node.expression, translation);
  if (ts.isIdentifier(node)) return names.get(node.text) ?? (node.text === "undefined" ? perhaps(nothing) : give());
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return value(literal(node.text), "string");
  if (ts.isNumericLiteral(node)) return numberOf(node.text);
  if (ts.isTemplateExpression(node)) return templateOf(node, translation);
  if (ts.isObjectLiteralExpression(node)) return objectOf(node, translation);
  if (ts.isArrayLiteralExpression(node)) return arrayOf(node, translation);
  if (ts.isPropertyAccessExpression(node)) return accessOf(node, node.name, translation);
  if (ts.isElementAccessExpression(node)) return accessOf(node, node.argumentExpression, translation);
  if (ts.isConditionalExpression(node)) return choiceOf(node, translation);
  if (ts.isPrefixUnaryExpression(node)) return unaryOf(node, translation);
  if (ts.isBinaryExpression(node)) return binaryOf(node, translation);
  if (ts.isCallExpression(node)) return isArrayOf(node, translation);
  switch (node.kind) {
    case ts.SyntaxKind.NullKeyword:
      return value(literal(null), "null");
    case ts.SyntaxKind.TrueKeyword:
    case ts.SyntaxKind.FalseKeyword:
      return value(literal(node.kind === ts.SyntaxKind.TrueKeyword), "boolean");
    default:
      return give();
  }
}

/** Nothing at all. */
const nothing: Expression = comma();

function numberOf(text: string): Value {
  const number = Number(text);
  return Number.isFinite(number) ? value(literal(number), "number") : give();
}

function accessOf(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  key: ts.Expression | ts.MemberName,
  translation: Translation,
): Value {
  const { ts } = translation;
  if (ts.isOptionalChain(node) && !node.questionDotToken) give();
  const of = translate(node.expression, translation);
  const isOptional = node.questionDotToken !== undefined;
  if (ts.isNumericLiteral(key)) return elementOf(of, Number(key.text), translation);
  const name =
    ts.isIdentifier(key) && ts.isPropertyAccessExpression(node)
      ? key.text
      : ts.isStringLiteral(key)
        ? key.text
        : give();
  if (name === "length") return value(call("length", required(of, "array", translation).expression), "number");
  return isOptional ? perhaps(selected(of, name)) : memberOf(of, name, translation);
}

function elementOf(of: Value, index: number, translation: Translation): Value {
  if (!Number.isSafeInteger(index)) give();
  const { expression } = required(of, "array", translation);
  return perhaps(query(expression, [{ descend: false, selectors: [{ kind: "index", index }] }]));
}

/** An object; members that are undefined are not in its JSON, and take away those of the same name before them. */
function objectOf({ properties }: ts.ObjectLiteralExpression, translation: Translation): Value {
  const { ts } = translation;
  const parts: Expression[] = [];
  let entries: (readonly [string, Expression])[] = [];
  const names = new Set<string>();
  const hasSpread = properties.some((property) => ts.isSpreadAssignment(property));
  const close = (...more: readonly Expression[]): void => {
    if (entries.length > 0) parts.push(object(entries));
    entries = [];
    parts.push(...more);
  };
  const add = (name: string, of: Value): void => {
    if (name === "__proto__" || name === "toJSON") give();
    if (of.isThere || hasSpread || names.has(name)) entries.push([name, present(of, translation)]);
    else close(firstOr(object([[name, of.expression]]), literal({})));
    names.add(name);
  };
  for (const property of properties) {
    if (ts.isShorthandPropertyAssignment(property)) add(property.name.text, translate(property.name, translation));
    else if (ts.isSpreadAssignment(property))
      close(required(translate(property.expression, translation), "object", translation).expression);
    else if (ts.isPropertyAssignment(property)) {
      const { name } = property;
      const isPlain = ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name);
      add(isPlain ? name.text : give(), translate(property.initializer, translation));
    } else give();
  }
  close();
  if (parts.length === 0) return value(literal({}), "object");
  return value(
    parts.reduce((left, right) => binary("+", left, right)),
    "object",
  );
}

/** An array; elements that are undefined are null in its JSON. */
function arrayOf({ elements }: ts.ArrayLiteralExpression, translation: Translation): Value {
  const { ts } = translation;
  const items = elements.map((each) =>
    ts.isSpreadElement(each) || ts.isOmittedExpression(each) ? give() : orNull(translate(each, translation)),
  );
  return value(collect(items.length > 1 ? comma(...items) : items[0]), "array");
}

/** A text with values in it that are texts. */
function templateOf({ head, templateSpans }: ts.TemplateExpression, translation: Translation): Value {
  const parts = templateSpans.flatMap(({ expression, literal: after }) => [
    required(translate(expression, translation), "string", translation).expression,
    literal(after.text),
  ]);
  return value(
    parts.reduce((left, right) => binary("+", left, right), literal(head.text)),
    "string",
  );
}

function choiceOf({ condition, whenTrue, whenFalse }: ts.ConditionalExpression, translation: Translation): Value {
  const test = truthOf(translate(condition, translation));
  const then = under(test, askedBy(condition, translation), translation, (inner) => translate(whenTrue, inner));
  const otherwise = under(not(test), [], translation, (inner) => translate(whenFalse, inner));
  return either(test, then, otherwise);
}

/** What a condition asks of the types of values, where it holds. */
function askedBy(node: ts.Expression, translation: Translation): Translation["known"] {
  const { ts } = translation;
  if (ts.isParenthesizedExpression(node)) return askedBy(node.expression, translation);
  if (ts.isCallExpression(node)) return [{ expression: isArrayArgument(node, translation).expression, type: "array" }];
  if (!ts.isBinaryExpression(node)) return [];
  if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return [...askedBy(node.left, translation), ...askedBy(node.right, translation)];
  if (node.operatorToken.kind !== ts.SyntaxKind.EqualsEqualsEqualsToken) return [];
  if (!ts.isTypeOfExpression(node.left) || !ts.isStringLiteral(node.right)) return [];
  const type = own(typesByName, node.right.text);
  return type ? [{ expression: translate(node.left.expression, translation).expression, type }] : [];
}

const typesByName: { readonly [name: string]: Type } = { string: "string", number: "number", boolean: "boolean" };

function unaryOf({ operator, operand }: ts.PrefixUnaryExpression, translation: Translation): Value {
  const { ts } = translation;
  const of = translate(operand, translation);
  if (operator === ts.SyntaxKind.ExclamationToken) return value(not(truthOf(of)), "boolean");
  if (operator !== ts.SyntaxKind.MinusToken) return give();
  return value(binary("-", literal(0), required(of, "number", translation).expression), "number");
}

function binaryOf(node: ts.BinaryExpression, translation: Translation): Value {
  const { ts } = translation;
  const { left, right } = node;
  const both = (): readonly [Value, Value] => [translate(left, translation), translate(right, translation)];
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
      return value(typeTest(left, right, translation) ?? equality(...both(), translation), "boolean");
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
      return value(not(typeTest(left, right, translation) ?? equality(...both(), translation)), "boolean");
    case ts.SyntaxKind.EqualsEqualsToken:
      return value(nullTest(...both()), "boolean");
    case ts.SyntaxKind.ExclamationEqualsToken:
      return value(not(nullTest(...both())), "boolean");
    case ts.SyntaxKind.LessThanToken:
      return numeric("<", ...both(), translation);
    case ts.SyntaxKind.LessThanEqualsToken:
      return numeric("<=", ...both(), translation);
    case ts.SyntaxKind.GreaterThanToken:
      return numeric(">", ...both(), translation);
    case ts.SyntaxKind.GreaterThanEqualsToken:
      return numeric(">=", ...both(), translation);
    case ts.SyntaxKind.PlusToken:
      return sum(...both(), translation);
    case ts.SyntaxKind.MinusToken:
      return numeric("-", ...both(), translation);
    case ts.SyntaxKind.AsteriskToken:
      return numeric("*", ...both(), translation);
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return shortOf(left, right, true, translation);
    case ts.SyntaxKind.BarBarToken:
      return shortOf(left, right, false, translation);
    case ts.SyntaxKind.QuestionQuestionToken: {
      const first = translate(left, translation);
      const isThere = binary("!=", orNull(first), literal(null));
      const otherwise = under(not(isThere), [], translation, (inner) => translate(right, inner));
      return either(isThere, { ...first, isThere: true }, otherwise);
    }
    default:
      return give();
  }
}

/** `a && b`, or `a || b`: the left where it decides. */
function shortOf(left: ts.Expression, right: ts.Expression, isAnd: boolean, translation: Translation): Value {
  const first = translate(left, translation);
  const test = truthOf(first);
  const known = isAnd ? askedBy(left, translation) : [];
  const second = under(isAnd ? test : not(test), known, translation, (inner) => translate(right, inner));
  if (first.type === "boolean" && second.type === "boolean")
    return value(
      isAnd ? and(first.expression, second.expression) : balanced("or", [first.expression, second.expression]),
      "boolean",
    );
  return isAnd ? either(test, second, first) : either(test, first, second);
}

/** `typeof a === "number"`; undefined where neither side is that. */
function typeTest(left: ts.Expression, right: ts.Expression, translation: Translation): Expression | undefined {
  const { ts } = translation;
  if (!ts.isTypeOfExpression(left)) return undefined;
  const of = translate(left.expression, translation);
  const wanted = ts.isStringLiteral(right) ? right.text : give();
  const type = own(typesByName, wanted);
  return type ? isOf(of, type) : give();
}

function isArrayArgument({ expression, arguments: given }: ts.CallExpression, translation: Translation): Value {
  const { ts, names } = translation;
  const isMethod = ts.isPropertyAccessExpression(expression) && expression.getText() === "Array.isArray";
  const [only, ...others] = given;
  if (!isMethod || names.has("Array") || !only || others.length > 0) return give();
  return translate(only, translation);
}

/** `Array.isArray(a)` */
const isArrayOf = (node: ts.CallExpression, translation: Translation): Value =>
  value(isOf(isArrayArgument(node, translation), "array"), "boolean");

/** `a == null`, the only test without types of the same meaning. */
function nullTest(left: Value, right: Value): Expression {
  const other = left.type === "null" ? right : right.type === "null" ? left : give();
  return binary("==", orNull(other), literal(null));
}

/** Whether two values are the same: of objects and arrays, whether they are one, which nobody can tell of their JSON. */
function equality(left: Value, right: Value, { conditions }: Translation): Expression {
  const isScalar = ({ type }: Value): boolean => type !== undefined && type !== "object" && type !== "array";
  if (!isScalar(left) && !isScalar(right)) {
    const plain = (of: Value) =>
      ["object", "array"].map((type) => binary("!=", call("type", orNull(of)), literal(type)));
    conditions.push(balanced("or", [balanced("and", plain(left)), balanced("and", plain(right))]));
  }
  if (left.isThere && right.isThere) return binary("==", left.expression, right.expression);
  if (isPresent(left) || isPresent(right)) return binary("==", orNull(left), orNull(right));
  return binary("==", collect(left.expression), collect(right.expression));
}

/** An operator between numbers. */
function numeric(
  operator: "<" | "<=" | ">" | ">=" | "-" | "*",
  left: Value,
  right: Value,
  translation: Translation,
): Value {
  const [a, b] = [left, right].map((each) => required(each, "number", translation).expression) as [
    Expression,
    Expression,
  ];
  return value(binary(operator, a, b), operator === "-" || operator === "*" ? "number" : "boolean");
}

/** The sum of two numbers, or two texts one behind the other. */
function sum(left: Value, right: Value, translation: Translation): Value {
  const type = left.type ?? right.type ?? "number";
  if (type !== "number" && type !== "string") return give();
  const [a, b] = [left, right].map((each) => required(each, type, translation).expression) as [Expression, Expression];
  return value(binary("+", a, b), type);
}

/** What comes of what a function gives: objects as they are, nothing as an empty one, anything else under `value`. */
function resultOf(given: Value): Expression {
  const { expression, type, isThere } = given;
  if (type === "object") return expression;
  const wrapped = (of: Expression): Expression => object([["value", of]]);
  if (type !== undefined) return wrapped(expression);
  const result = variable("result");
  const whole = bind(
    "result",
    expression,
    conditional(binary("==", call("type", result), literal("object")), result, wrapped(result)),
  );
  return isThere ? whole : firstOr(whole, literal({}));
}
