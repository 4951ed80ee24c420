import type { ts } from "ts-morph";
import type { ExternalNames } from "./names.ts";
import type { FunctionTree, Typescript } from "./parse.ts";

/** What a function does in addition to its result. */
export interface SideEffects {
  /** The variables that it may change, sorted. */
  readonly changes: readonly string[];
  /** Whether it ends, and has no other effect and the same result for the same parameters and variables. */
  readonly isPure: boolean;
}

/**
 * Proves from the syntax tree that a function is pure: it has no loops, refers to nothing but its parameters, its
 * variables and built-in functions whose results the language specification defines, and changes no object that other
 * code can reach. A function that is not proven pure may change all its variables.
 *
 *   () => ({ customer: order.customer }) → changes nothing, pure
 *   ({ parcel }) => { parcels.push(parcel); } → changes parcels, pure
 *   () => ({ at: Date.now(), order }) → may change order, not pure
 */
export function sideEffectsOf(
  { ts, expression }: FunctionTree,
  { freeNames }: ExternalNames,
  variables: readonly string[],
): SideEffects {
  const free = new Map(freeNames.map(({ name, from }) => [from, name]));
  const proof: Proof = {
    ts,
    variables: new Set(variables),
    free,
    parameters: new Set(),
    called: new Set(),
    changes: [],
  };
  const isPure = isPureFunction(expression, proof) && areKnown(proof.changes) && usesNoOthers(proof);
  const changed = new Set(proof.changes.map(({ name }) => name));
  return { changes: variables.filter((name) => !isPure || changed.has(name)).sort(), isPure };
}

interface Proof {
  readonly ts: Typescript;
  readonly variables: ReadonlySet<string>;
  /** The names that the function does not declare, by offset. */
  readonly free: ReadonlyMap<number, string>;
  /** The names that its parameters declare. */
  readonly parameters: Set<string>;
  /** The offsets of the names of built-in functions that it calls. */
  readonly called: Set<number>;
  readonly changes: Change[];
}

/** An assignment to a variable or parameter, or a change inside of a value. */
interface Change {
  readonly kind: "assigned" | "inside";
  /** Undefined if the value may be, or may be shared with, that of another variable, or a built-in object. */
  readonly name: string | undefined;
}

/** A value that is changed inside must belong to one variable alone: nothing else is assigned to it or into it. */
const areKnown = (changes: readonly Change[]): boolean =>
  changes.every(({ kind, name }) => kind === "assigned" || (name !== undefined && changes.length === 1));

const usesNoOthers = ({ free, variables, called }: Proof): boolean =>
  [...free].every(([offset, name]) => variables.has(name) || constants.has(name) || called.has(offset));

const constants: ReadonlySet<string> = new Set(["undefined", "NaN", "Infinity"]);

function isPureFunction(node: ts.Expression, proof: Proof): boolean {
  const { ts, parameters } = proof;
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
  if (node.name || !arePureParameters(node, proof)) return false;
  for (const { name } of node.parameters) for (const each of namesIn(name, ts)) parameters.add(each);
  return isPureNode(node.body, proof);
}

function arePureParameters(node: ts.ArrowFunction | ts.FunctionExpression, proof: Proof): boolean {
  if (node.modifiers?.length || node.asteriskToken) return false;
  return node.parameters.every(
    ({ name, initializer, dotDotDotToken }) => !initializer && !dotDotDotToken && isPureBinding(name, proof),
  );
}

function namesIn(name: ts.BindingName, ts: Typescript): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name, ts) : []));
}

/** A declaration must not hide a parameter, nor take what a value inherits. */
function isPureBinding(name: ts.BindingName, proof: Proof): boolean {
  const { ts, parameters } = proof;
  if (ts.isIdentifier(name)) return !parameters.has(name.text);
  const isList = ts.isArrayBindingPattern(name);
  return name.elements.every(
    (element) =>
      ts.isOmittedExpression(element) ||
      ((isList || element.dotDotDotToken !== undefined || isOwnKey(element.propertyName ?? element.name, ts)) &&
        !element.initializer &&
        isPureBinding(element.name, proof)),
  );
}

/** The kinds of nodes are those that are listed here; others are not pure. */
function isPureNode(node: ts.Node, proof: Proof): boolean {
  const { ts } = proof;
  if (ts.isCallExpression(node)) return isPureCall(node, proof);
  if (ts.isBinaryExpression(node)) return isPureBinary(node, proof);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return isPureUnary(node, proof);
  if (ts.isDeleteExpression(node)) return isPureNode(node.expression, proof) && noteChange(node.expression, proof);
  if (ts.isPropertyAccessExpression(node)) return isPlainKey(node.name, ts) && isPureNode(node.expression, proof);
  if (ts.isElementAccessExpression(node))
    return isPlainKey(node.argumentExpression, ts) && everyChild(node, ts, (child) => isPureNode(child, proof));
  if (ts.isVariableDeclaration(node))
    return isPureBinding(node.name, proof) && (!node.initializer || isPureNode(node.initializer, proof));
  if (ts.isPropertyAssignment(node)) return isPlainKey(node.name, ts) && isPureNode(node.initializer, proof);
  if (ts.isShorthandPropertyAssignment(node)) return isPlainKey(node.name, ts) && !node.objectAssignmentInitializer;
  if (ts.isIdentifier(node)) return node.text !== "arguments";
  return isTransparent(node, ts) && everyChild(node, ts, (child) => isPureNode(child, proof));
}

function everyChild(node: ts.Node, ts: Typescript, holds: (child: ts.Node) => boolean): boolean {
  return ts.forEachChild(node, (child) => (holds(child) ? undefined : true)) !== true;
}

/** Nodes that only combine what is in them. */
function isTransparent(node: ts.Node, ts: Typescript): boolean {
  switch (node.kind) {
    case ts.SyntaxKind.Block:
    case ts.SyntaxKind.EmptyStatement:
    case ts.SyntaxKind.ExpressionStatement:
    case ts.SyntaxKind.IfStatement:
    case ts.SyntaxKind.ReturnStatement:
    case ts.SyntaxKind.VariableStatement:
    case ts.SyntaxKind.VariableDeclarationList:
    case ts.SyntaxKind.ParenthesizedExpression:
    case ts.SyntaxKind.ConditionalExpression:
    case ts.SyntaxKind.TypeOfExpression:
    case ts.SyntaxKind.VoidExpression:
    case ts.SyntaxKind.ObjectLiteralExpression:
    case ts.SyntaxKind.ArrayLiteralExpression:
    case ts.SyntaxKind.SpreadElement:
    case ts.SyntaxKind.SpreadAssignment:
    case ts.SyntaxKind.OmittedExpression:
    case ts.SyntaxKind.TemplateExpression:
    case ts.SyntaxKind.TemplateSpan:
    case ts.SyntaxKind.TemplateHead:
    case ts.SyntaxKind.TemplateMiddle:
    case ts.SyntaxKind.TemplateTail:
    case ts.SyntaxKind.NoSubstitutionTemplateLiteral:
    case ts.SyntaxKind.StringLiteral:
    case ts.SyntaxKind.NumericLiteral:
    case ts.SyntaxKind.TrueKeyword:
    case ts.SyntaxKind.FalseKeyword:
    case ts.SyntaxKind.NullKeyword:
    case ts.SyntaxKind.ConstKeyword:
    case ts.SyntaxKind.LetKeyword:
    case ts.SyntaxKind.QuestionToken:
    case ts.SyntaxKind.QuestionDotToken:
    case ts.SyntaxKind.ColonToken:
      return true;
    default:
      return false;
  }
}

function isPureBinary({ left, operatorToken, right }: ts.BinaryExpression, proof: Proof): boolean {
  const { ts } = proof;
  const { kind } = operatorToken;
  // The result of `**` is approximate, and `instanceof` calls a method of its right side.
  const isExcluded = [
    ts.SyntaxKind.AsteriskAsteriskToken,
    ts.SyntaxKind.AsteriskAsteriskEqualsToken,
    ts.SyntaxKind.InstanceOfKeyword,
  ].includes(kind);
  if (isExcluded || !isPureNode(left, proof) || !isPureNode(right, proof)) return false;
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return !isAssignment || noteChange(left, proof);
}

function isPureUnary(node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression, proof: Proof): boolean {
  const { ts } = proof;
  const isUpdate = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(node.operator);
  return isPureNode(node.operand, proof) && (!isUpdate || noteChange(node.operand, proof));
}

/** Notes what an assignment changes. False if it is a pattern or a global. */
function noteChange(target: ts.Expression, proof: Proof): boolean {
  const { ts, free, variables, parameters, changes } = proof;
  if (ts.isParenthesizedExpression(target)) return noteChange(target.expression, proof);
  if (ts.isIdentifier(target)) {
    const isFree = free.has(offsetOf(target));
    if (isFree || parameters.has(target.text)) changes.push({ kind: "assigned", name: target.text });
    return !isFree || variables.has(target.text);
  }
  if (!ts.isPropertyAccessExpression(target) && !ts.isElementAccessExpression(target)) return false;
  const hasKnownKey = ts.isPropertyAccessExpression(target) || isConstantKey(target.argumentExpression, ts);
  const changed = hasKnownKey ? ownerOf(target.expression, proof) : undefined;
  changes.push({ kind: "inside", name: changed });
  return true;
}

/** The variable or parameter whose value a path of own keys starts at. */
function ownerOf(object: ts.Expression, proof: Proof): string | undefined {
  const { ts, free, variables, parameters } = proof;
  if (ts.isParenthesizedExpression(object)) return ownerOf(object.expression, proof);
  if (ts.isPropertyAccessExpression(object))
    return isOwnKey(object.name, ts) ? ownerOf(object.expression, proof) : undefined;
  if (ts.isElementAccessExpression(object)) {
    const key = object.argumentExpression;
    return isConstantKey(key, ts) && isOwnKey(key, ts) ? ownerOf(object.expression, proof) : undefined;
  }
  if (!ts.isIdentifier(object)) return undefined;
  const isOwner = free.has(offsetOf(object)) ? variables.has(object.text) : parameters.has(object.text);
  return isOwner ? object.text : undefined;
}

const isConstantKey = (key: ts.Node, ts: Typescript): boolean =>
  ts.isStringLiteralLike(key) || ts.isNumericLiteral(key);

/** Whether a key is not a computed one in brackets, and none that leads to a prototype. */
function isPlainKey(key: ts.Node, ts: Typescript): boolean {
  if (ts.isComputedPropertyName(key) || ts.isPrivateIdentifier(key)) return false;
  return !(ts.isIdentifier(key) || ts.isStringLiteralLike(key)) || !prototypeKeys.has(key.text);
}

const prototypeKeys: ReadonlySet<string> = new Set(
  "constructor prototype __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__".split(" "),
);

/** Whether no value of JSON inherits a key. */
const isOwnKey = (key: ts.Node, ts: Typescript): boolean =>
  ts.isNumericLiteral(key) || ((ts.isIdentifier(key) || ts.isStringLiteralLike(key)) && !inheritedKeys.has(key.text));

const inheritedKeys: ReadonlySet<string> = new Set(
  [Object, Array, String, Number, Boolean].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
);

/** Calls of built-in functions and methods. Functions are only their callbacks, so that none calls itself. */
function isPureCall({ expression: callee, arguments: args }: ts.CallExpression, proof: Proof): boolean {
  const { ts, called } = proof;
  const areValues = (values: readonly ts.Expression[]) => values.every((each) => isPureNode(each, proof));
  if (ts.isIdentifier(callee)) {
    called.add(offsetOf(callee));
    return isGlobal(callee, proof) && pureFunctions.has(callee.text) && areValues(args);
  }
  if (!ts.isPropertyAccessExpression(callee)) return false;
  const { expression: object, name } = callee;
  if (ts.isIdentifier(object) && isGlobal(object, proof)) {
    called.add(offsetOf(object));
    const isUsual = object.text !== "JSON" || args.length === 1;
    return isUsual && pureFunctions.has(`${object.text}.${name.text}`) && areValues(args);
  }
  if (!isPureNode(object, proof)) return false;
  if (readingMethods.has(name.text)) return areValues(args);
  const [callback, ...others] = args;
  if (callbackMethods.has(name.text))
    return callback !== undefined && isPureCallback(callback, proof) && areValues(others);
  if (!changingMethods.has(name.text)) return false;
  proof.changes.push({ kind: "inside", name: ownerOf(object, proof) });
  return areValues(args);
}

const isPureCallback = (node: ts.Expression, proof: Proof): boolean =>
  proof.ts.isArrowFunction(node) && arePureParameters(node, proof) && isPureNode(node.body, proof);

const isGlobal = (node: ts.Identifier, { free, variables }: Proof): boolean =>
  free.has(offsetOf(node)) && !variables.has(node.text);

const offsetOf = (node: ts.Node): number => node.getStart() - 1;

/** Trigonometric functions are approximate; results that depend on the version of Unicode or the locale differ. */
const pureFunctions: ReadonlySet<string> = new Set(
  (
    "Boolean Number String parseFloat parseInt isFinite isNaN Array.isArray Array.of JSON.parse JSON.stringify " +
    "Math.abs Math.ceil Math.floor Math.max Math.min Math.round Math.sign Math.trunc " +
    "Number.isFinite Number.isInteger Number.isNaN Object.entries Object.fromEntries Object.keys Object.values"
  ).split(" "),
);

const readingMethods: ReadonlySet<string> = new Set(
  (
    "at charAt charCodeAt codePointAt concat endsWith flat includes indexOf join lastIndexOf slice split startsWith " +
    "substring toFixed toString trim trimEnd trimStart"
  ).split(" "),
);

const callbackMethods: ReadonlySet<string> = new Set(
  "every filter find findIndex findLast findLastIndex flatMap forEach map reduce reduceRight some".split(" "),
);

const changingMethods: ReadonlySet<string> = new Set("fill pop push reverse shift splice unshift".split(" "));
