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
  effectsOf,
  firstOr,
  literal,
  object,
  query,
  variable,
} from "../../../expressions/index.ts";
import type { ScriptExpression } from "../../../ir/protocols.ts";
import { own } from "../../../json.ts";
import type { FunctionTree, Typescript } from "./parse.ts";
import {
  defined,
  either,
  giveUp,
  hasType,
  isPresent,
  type JsonType,
  memberOf,
  not,
  optional,
  orNull,
  requireDefined,
  requireType,
  selected,
  type TranslatedValue,
  type Translation,
  truthOf,
  under,
  untranslatable,
} from "./values.ts";

/**
 * Translates an arrow function to an expression over `$params` and its variables; undefined if it does more than
 * compute a value. `when` tests the types for which both agree.
 *
 *   ({ n, ...rest }) => ({ ...rest, next: n + 1 }) → ($params | delpaths([["n"]])) + { next: ($params.n + 1) } when both are numbers
 */
export function expressionOf(
  { ts, expression }: FunctionTree,
  variables: readonly string[],
): ScriptExpression | undefined {
  if (!ts.isArrowFunction(expression) || expression.modifiers?.length) return undefined;
  const body = bodyOf(expression, ts);
  const names = new Map(variables.map((name) => [name, defined(variable(name))] as const));
  const conditions: Expression[] = [];
  const translation: Translation = { ts, names, conditions, known: [] };
  const params = defined(variable("params"), "object");
  const [parameter, ...others] = expression.parameters;
  try {
    if (!body || others.length > 0) return undefined;
    if (parameter && (parameter.initializer || parameter.dotDotDotToken)) return undefined;
    const inner = parameter ? declareNames(parameter.name, params, translation) : translation;
    const result = resultOf(translate(body, inner));
    return effectsOf(result).weight.size > maxExpressionSize
      ? undefined
      : { when: balanced("and", conditions), value: result };
  } catch (error) {
    if (error === untranslatable || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Larger expressions are faster and more readable as functions. */
const maxExpressionSize = 300;

function bodyOf({ body }: ts.ArrowFunction, ts: Typescript): ts.Expression | undefined {
  if (!ts.isBlock(body)) return body;
  const [only, ...others] = body.statements;
  return only && others.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
}

function declareNames(pattern: ts.BindingName, whole: TranslatedValue, translation: Translation): Translation {
  const { ts, names } = translation;
  if (ts.isIdentifier(pattern)) return { ...translation, names: new Map([...names, [pattern.text, whole]]) };
  if (!ts.isObjectBindingPattern(pattern)) return giveUp();
  const taken: string[] = [];
  return pattern.elements.reduce((inner, { name, propertyName, initializer, dotDotDotToken }) => {
    if (initializer) return giveUp();
    if (dotDotDotToken) return declareNames(name, omitMembers(requireType(whole, "object", inner), taken), inner);
    const key = propertyName ?? name;
    taken.push(ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : giveUp());
    return declareNames(name, propertyOf(whole, taken.at(-1)!, inner), inner);
  }, translation);
}

function omitMembers({ expression }: TranslatedValue, names: readonly string[]): TranslatedValue {
  if (names.length === 0) return defined(expression, "object");
  const paths = literal(names.map((name) => [name]));
  return defined(call("delpaths", expression, paths), "object");
}

function translate(node: ts.Expression, translation: Translation): TranslatedValue {
  const { ts, names } = translation;
  if (ts.isParenthesizedExpression(node)) return translate(node.expression, translation);
  if (ts.isIdentifier(node))
    return names.get(node.text) ?? (node.text === "undefined" ? optional(undefinedValue) : giveUp());
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return defined(literal(node.text), "string");
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
      return defined(literal(null), "null");
    case ts.SyntaxKind.TrueKeyword:
    case ts.SyntaxKind.FalseKeyword:
      return defined(literal(node.kind === ts.SyntaxKind.TrueKeyword), "boolean");
    default:
      return giveUp();
  }
}

const undefinedValue: Expression = comma();

function numberOf(text: string): TranslatedValue {
  const number = Number(text);
  return Number.isFinite(number) ? defined(literal(number), "number") : giveUp();
}

function accessOf(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  key: ts.Expression | ts.MemberName,
  translation: Translation,
): TranslatedValue {
  const { ts } = translation;
  if (ts.isOptionalChain(node) && !node.questionDotToken) giveUp();
  const of = translate(node.expression, translation);
  const isOptional = node.questionDotToken !== undefined;
  if (ts.isNumericLiteral(key)) return elementOf(of, Number(key.text), translation);
  const name =
    ts.isIdentifier(key) && ts.isPropertyAccessExpression(node)
      ? key.text
      : ts.isStringLiteral(key)
        ? key.text
        : giveUp();
  if (name === "length") return defined(call("length", requireType(of, "array", translation).expression), "number");
  return isOptional && !isIndex(name) ? optional(selected(of, name)) : propertyOf(of, name, translation);
}

/** The value of a property: a member, or an element if the name is an index and the value may be an array. */
const propertyOf = (of: TranslatedValue, name: string, translation: Translation): TranslatedValue =>
  isIndex(name) && of.type !== "object" ? elementOf(of, Number(name), translation) : memberOf(of, name, translation);

/** Whether JavaScript takes a property name for an index. */
const isIndex = (name: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name);

function elementOf(of: TranslatedValue, index: number, translation: Translation): TranslatedValue {
  if (!Number.isSafeInteger(index)) giveUp();
  const { expression } = requireType(of, "array", translation);
  return optional(query(expression, [{ descend: false, selectors: [{ kind: "index", index }] }]));
}

/** Undefined members are absent in JSON, and remove earlier members. */
function objectOf({ properties }: ts.ObjectLiteralExpression, translation: Translation): TranslatedValue {
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
  const add = (name: string, of: TranslatedValue): void => {
    if (name === "__proto__" || name === "toJSON") giveUp();
    if (of.isDefined || hasSpread || names.has(name)) entries.push([name, requireDefined(of, translation)]);
    else close(firstOr(object([[name, of.expression]]), literal({})));
    names.add(name);
  };
  for (const property of properties) {
    if (ts.isShorthandPropertyAssignment(property)) add(property.name.text, translate(property.name, translation));
    else if (ts.isSpreadAssignment(property))
      close(requireType(translate(property.expression, translation), "object", translation).expression);
    else if (ts.isPropertyAssignment(property)) {
      const { name } = property;
      const isPlain = ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name);
      add(isPlain ? name.text : giveUp(), translate(property.initializer, translation));
    } else giveUp();
  }
  close();
  if (parts.length === 0) return defined(literal({}), "object");
  return defined(
    parts.reduce((left, right) => binary("+", left, right)),
    "object",
  );
}

function arrayOf({ elements }: ts.ArrayLiteralExpression, translation: Translation): TranslatedValue {
  const { ts } = translation;
  const items = elements.map((each) =>
    ts.isSpreadElement(each) || ts.isOmittedExpression(each) ? giveUp() : orNull(translate(each, translation)),
  );
  return defined(collect(items.length > 1 ? comma(...items) : items[0]), "array");
}

function templateOf({ head, templateSpans }: ts.TemplateExpression, translation: Translation): TranslatedValue {
  const parts = templateSpans.flatMap(({ expression, literal: after }) => [
    requireType(translate(expression, translation), "string", translation).expression,
    literal(after.text),
  ]);
  return defined(
    parts.reduce((left, right) => binary("+", left, right), literal(head.text)),
    "string",
  );
}

function choiceOf(
  { condition, whenTrue, whenFalse }: ts.ConditionalExpression,
  translation: Translation,
): TranslatedValue {
  const test = truthOf(translate(condition, translation));
  const then = under(test, typesTestedBy(condition, translation), translation, (inner) => translate(whenTrue, inner));
  const otherwise = under(not(test), [], translation, (inner) => translate(whenFalse, inner));
  return either(test, then, otherwise);
}

function typesTestedBy(node: ts.Expression, translation: Translation): Translation["known"] {
  const { ts } = translation;
  if (ts.isParenthesizedExpression(node)) return typesTestedBy(node.expression, translation);
  if (ts.isCallExpression(node)) return [{ expression: isArrayArgument(node, translation).expression, type: "array" }];
  if (!ts.isBinaryExpression(node)) return [];
  if (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return [...typesTestedBy(node.left, translation), ...typesTestedBy(node.right, translation)];
  if (node.operatorToken.kind !== ts.SyntaxKind.EqualsEqualsEqualsToken) return [];
  if (!ts.isTypeOfExpression(node.left) || !ts.isStringLiteral(node.right)) return [];
  const type = own(typesByName, node.right.text);
  return type ? [{ expression: translate(node.left.expression, translation).expression, type }] : [];
}

const typesByName: { readonly [name: string]: JsonType } = { string: "string", number: "number", boolean: "boolean" };

function unaryOf({ operator, operand }: ts.PrefixUnaryExpression, translation: Translation): TranslatedValue {
  const { ts } = translation;
  const of = translate(operand, translation);
  if (operator === ts.SyntaxKind.ExclamationToken) return defined(not(truthOf(of)), "boolean");
  if (operator !== ts.SyntaxKind.MinusToken) return giveUp();
  return defined(binary("-", literal(0), requireType(of, "number", translation).expression), "number");
}

function binaryOf(node: ts.BinaryExpression, translation: Translation): TranslatedValue {
  const { ts } = translation;
  const { left, right } = node;
  const both = (): readonly [TranslatedValue, TranslatedValue] => [
    translate(left, translation),
    translate(right, translation),
  ];
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
      return defined(typeTest(left, right, translation) ?? equality(...both(), translation), "boolean");
    case ts.SyntaxKind.ExclamationEqualsEqualsToken:
      return defined(not(typeTest(left, right, translation) ?? equality(...both(), translation)), "boolean");
    case ts.SyntaxKind.EqualsEqualsToken:
      return defined(nullTest(...both()), "boolean");
    case ts.SyntaxKind.ExclamationEqualsToken:
      return defined(not(nullTest(...both())), "boolean");
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
      return shortCircuit(left, right, true, translation);
    case ts.SyntaxKind.BarBarToken:
      return shortCircuit(left, right, false, translation);
    case ts.SyntaxKind.QuestionQuestionToken: {
      const first = translate(left, translation);
      const isDefined = binary("!=", orNull(first), literal(null));
      const otherwise = under(not(isDefined), [], translation, (inner) => translate(right, inner));
      return either(isDefined, { ...first, isDefined: true }, otherwise);
    }
    default:
      return giveUp();
  }
}

function shortCircuit(
  left: ts.Expression,
  right: ts.Expression,
  isAnd: boolean,
  translation: Translation,
): TranslatedValue {
  const first = translate(left, translation);
  const test = truthOf(first);
  const known = isAnd ? typesTestedBy(left, translation) : [];
  const second = under(isAnd ? test : not(test), known, translation, (inner) => translate(right, inner));
  if (first.type === "boolean" && second.type === "boolean")
    return defined(
      isAnd ? and(first.expression, second.expression) : balanced("or", [first.expression, second.expression]),
      "boolean",
    );
  return isAnd ? either(test, second, first) : either(test, first, second);
}

function typeTest(left: ts.Expression, right: ts.Expression, translation: Translation): Expression | undefined {
  const { ts } = translation;
  if (!ts.isTypeOfExpression(left)) return undefined;
  const of = translate(left.expression, translation);
  const wanted = ts.isStringLiteral(right) ? right.text : giveUp();
  const type = own(typesByName, wanted);
  return type ? hasType(of, type) : giveUp();
}

function isArrayArgument(
  { expression, arguments: given }: ts.CallExpression,
  translation: Translation,
): TranslatedValue {
  const { ts, names } = translation;
  const isMethod = ts.isPropertyAccessExpression(expression) && expression.getText() === "Array.isArray";
  const [only, ...others] = given;
  if (!isMethod || names.has("Array") || !only || others.length > 0) return giveUp();
  return translate(only, translation);
}

const isArrayOf = (node: ts.CallExpression, translation: Translation): TranslatedValue =>
  defined(hasType(isArrayArgument(node, translation), "array"), "boolean");

/** Other loose comparisons differ from jq. */
function nullTest(left: TranslatedValue, right: TranslatedValue): Expression {
  const other = left.type === "null" ? right : right.type === "null" ? left : giveUp();
  return binary("==", orNull(other), literal(null));
}

/** Excludes objects and arrays, whose identity matters in JavaScript. */
function equality(left: TranslatedValue, right: TranslatedValue, { conditions }: Translation): Expression {
  const isScalar = ({ type }: TranslatedValue): boolean => type !== undefined && type !== "object" && type !== "array";
  if (!isScalar(left) && !isScalar(right)) {
    const plain = (of: TranslatedValue) =>
      ["object", "array"].map((type) => binary("!=", call("type", orNull(of)), literal(type)));
    conditions.push(balanced("or", [balanced("and", plain(left)), balanced("and", plain(right))]));
  }
  if (left.isDefined && right.isDefined) return binary("==", left.expression, right.expression);
  if (isPresent(left) || isPresent(right)) return binary("==", orNull(left), orNull(right));
  return binary("==", collect(left.expression), collect(right.expression));
}

function numeric(
  operator: "<" | "<=" | ">" | ">=" | "-" | "*",
  left: TranslatedValue,
  right: TranslatedValue,
  translation: Translation,
): TranslatedValue {
  const [a, b] = [left, right].map((each) => requireType(each, "number", translation).expression) as [
    Expression,
    Expression,
  ];
  return defined(binary(operator, a, b), operator === "-" || operator === "*" ? "number" : "boolean");
}

function sum(left: TranslatedValue, right: TranslatedValue, translation: Translation): TranslatedValue {
  const type = left.type ?? right.type ?? "number";
  if (type !== "number" && type !== "string") return giveUp();
  const [a, b] = [left, right].map((each) => requireType(each, type, translation).expression) as [
    Expression,
    Expression,
  ];
  return defined(binary("+", a, b), type);
}

/** An object as is, undefined as `{}`, any other value under `value`. */
function resultOf(given: TranslatedValue): Expression {
  const { expression, type, isDefined } = given;
  if (type === "object") return expression;
  const wrapped = (of: Expression): Expression => object([["value", of]]);
  if (type !== undefined) return wrapped(expression);
  const result = variable("result");
  const whole = bind(
    "result",
    expression,
    conditional(binary("==", call("type", result), literal("object")), result, wrapped(result)),
  );
  return isDefined ? whole : firstOr(whole, literal({}));
}
