import { builtinOf } from "../builtins/builtins.ts";
import { isLargeRegexp, readRegexp, regexpSource } from "../builtins/dialect/nodes.ts";
import type { Call, Expression } from "../core/ast.ts";
import { outputs } from "../facts/facts.ts";
import { callCode } from "./code.ts";
import { emit, emitBound } from "./emit.ts";
import { declared, firstInto, ifPresent, isSingle, slotsOf, truthOf, valueSink } from "./joins.ts";
import { dropped, type Sink, smallSink } from "./place.ts";
import { refuse } from "./refusal.ts";
import { isTracked, type Scope, withoutPath } from "./scope.ts";
import { emitGetPath, emitLimit, emitRange, emitSkip } from "./streams.ts";
import { quotedText } from "./text.ts";
import { emitAll } from "./values.ts";
import { block, exitOf, fresh, helper, leave, notLast, type Site, type Writer } from "./writer.ts";

/** A function of `builtins.ts`: of values, once for each combination of them; or one that decides how much of its arguments is evaluated. */
export function emitCall(expression: Call, scope: Scope, site: Site, sink: Sink): string {
  const { name, args } = expression;
  const [first, second] = args;
  switch (`${name}/${args.length}`) {
    case "first/1":
      return emitFirst(first!, scope, site, sink);
    case "last/1":
      return emitLast(first!, scope, site, sink);
    case "limit/2":
      return emitLimit(first!, second!, scope, site, sink);
    case "skip/2":
      return emitSkip(first!, second!, scope, site, sink);
    case "range/3":
      return emitRange(expression, scope, site, sink);
    default:
      return isTracked(scope)
        ? emitTrackedCall(expression, scope, site, sink)
        : emitValueCall(expression, scope, site, sink);
  }
}

/** Where paths are told, `getpath` tells one, and what fails can do so for a place. */
function emitTrackedCall(expression: Call, scope: Scope, site: Site, sink: Sink): string {
  const { name, args } = expression;
  if (name === "getpath") return emitGetPath(args[1]!, scope, site, sink);
  if (name !== "error") throw new Error(`This tells no paths: ${name}`);
  return emit(
    args[0]!,
    scope,
    site,
    smallSink((value) => `${helper(scope.writer, "raise")}(${value});\n`),
  );
}

function emitValueCall(expression: Call, scope: Scope, site: Site, sink: Sink): string {
  const { name, args } = expression;
  if (builtinOf(name, args.length)?.kind !== "value") return emitQuestion(expression, scope, site, sink);
  return emitAll(args, scope, site, (codes, at) =>
    sink.write({ value: callCode(expression, codes, scope.writer) }, at),
  );
}

/** `first(E)` */
function emitFirst(body: Expression, scope: Scope, site: Site, sink: Sink): string {
  if (isSingle(outputs(body))) return emit(body, scope, site, sink);
  const slots = slotsOf(scope, isTracked(scope));
  const exit = exitOf(scope.writer, site);
  const surely = body.kind === "comma" && body.items.some((item) => outputs(item) === "one");
  return `${declared(slots)}${block(exit, emit(body, scope, notLast(site), firstInto(slots, exit)))}${ifPresent(slots, surely, site, sink)}`;
}

/** `last(E)` */
function emitLast(body: Expression, scope: Scope, site: Site, sink: Sink): string {
  if (isSingle(outputs(body))) return emit(body, scope, site, sink);
  const slots = slotsOf(scope, false);
  return `${declared(slots)}${emit(body, scope, notLast(site), slots.fill)}${ifPresent(slots, false, site, sink)}`;
}

/** Functions that give one truth value, or what they select. */
function emitQuestion(expression: Call, scope: Scope, site: Site, sink: Sink): string {
  const { name, args } = expression;
  const { writer } = scope;
  const [first, second, third] = args as readonly [Expression, Expression, Expression];
  switch (`${name}/${args.length}`) {
    case "exists/1":
      return emitUntil(first, scope, site, sink, dropped);
    case "truthy/1":
      return emitUntil(first, scope, site, sink, undefined);
    case "isEmpty/1":
      return emitFirstOf(first, scope, site, (value, at) =>
        sink.write({ value: `${helper(writer, "isBlank")}(${value})` }, at),
      );
    case "compareInCondition/3":
      return emitList(first, scope, site, (a, s) =>
        emitList(third, scope, s, (b, at) =>
          sink.write({ value: `${helper(writer, "compareInCondition")}(${a}, ${operatorOf(second)}, ${b})` }, at),
        ),
      );
    case "comparesNodes/3":
      return emitFirstOf(first, scope, site, (a, s) =>
        emitFirstOf(third, scope, s, (b, at) =>
          sink.write({ value: `${helper(writer, "comparesNodes")}([${a}], ${operatorOf(second)}, [${b}])` }, at),
        ),
      );
    case "attribute/2":
      return emitAttribute(first, second, scope, site, sink);
    default:
      return emitOfNodes(expression, scope, site, sink);
  }
}

/** The functions of JSONPath. */
function emitOfNodes(expression: Call, scope: Scope, site: Site, sink: Sink): string {
  const { name, args } = expression;
  const { writer } = scope;
  const [first] = args as readonly [Expression];
  const present = (code: string, at: Site) => {
    const value = fresh(writer, "v");
    return `const ${value} = ${code};\nif (${value} !== undefined) {\n${sink.write({ value }, at)}}\n`;
  };
  switch (`${name}/${args.length}`) {
    case "nodeLength/1":
      return emitFirstOf(first, scope, site, (value, at) => present(`${helper(writer, "lengthOfNode")}(${value})`, at));
    case "nodeCount/1":
      return emitList(first, scope, site, (list, at) => sink.write({ value: `${list}.length` }, at));
    case "nodeValue/1":
      return emitList(first, scope, site, (list, at) => present(`${helper(writer, "valueOfNodes")}(${list})`, at));
    case "nodeMatches/2":
    case "nodeSearches/2":
      return emitMatching(expression, scope, site, sink);
    default:
      return refuse(expression, `The function \`${name}\` has no form in JavaScript.`);
  }
}

const operatorOf = (operator: Expression): string =>
  operator.kind === "literal" && typeof operator.value === "string"
    ? JSON.stringify(operator.value)
    : refuse(operator, "The comparison of a condition has to be a literal.");

function emitMatching({ name, args }: Call, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  const [first, second] = args as readonly [Expression, Expression];
  const isWhole = name === "nodeMatches";
  const regex = writtenRegex(second, isWhole, writer);
  return emitFirstOf(first, scope, site, (node, s) => {
    if (regex !== undefined) return sink.write({ value: `(typeof ${node} === "string" && ${regex}.test(${node}))` }, s);
    return emitFirstOf(second, scope, s, (pattern, at) =>
      sink.write({ value: `${helper(writer, "matchesNode")}(${node}, ${pattern}, ${isWhole})` }, at),
    );
  });
}

/** The name of a constant for the regular expression of a pattern that is written out, and is one. */
function writtenRegex(pattern: Expression, whole: boolean, writer: Writer): string | undefined {
  const text = pattern.kind === "literal" ? pattern.value : undefined;
  const parts = typeof text === "string" && !isLargeRegexp(text) ? readRegexp(text) : undefined;
  if (!parts) return undefined;
  const name = `${writer.name}_${writer.constants.length + 1}_`;
  writer.constants.push(`const ${name} = new RegExp(${quotedText(regexpSource(parts, whole))}, "u");\n`);
  return name;
}

/** Whether something comes out of an expression before it ends; without `test`, something that is true. */
function emitUntil(
  body: Expression,
  scope: Scope,
  site: Site,
  sink: Sink,
  test: ((code: string) => string) | undefined,
): string {
  const { writer } = scope;
  const [found, exit] = [fresh(writer, "b"), exitOf(writer, site)];
  const set = (at: Site) => `${found} = true;\n${leave(exit, at)}`;
  const see = smallSink((value, at) =>
    test ? `${test(value)}${set(at)}` : `if (${truthOf(value, writer)}) {\n${set(at)}}\n`,
  );
  const text = block(exit, emit(body, scope, notLast(site), see));
  return `let ${found} = false;\n${text}${sink.write({ value: found }, site)}`;
}

/** A variable for the first output, which is undefined if there is none. */
function emitFirstOf(body: Expression, scope: Scope, site: Site, use: (value: string, site: Site) => string): string {
  const slots = slotsOf(scope, false);
  const exit = exitOf(scope.writer, site);
  const text = emit(body, scope, notLast(site), isSingle(outputs(body)) ? slots.fill : firstInto(slots, exit));
  return `${declared(slots)}${block(exit, text)}${use(slots.place.value, site)}`;
}

function emitList(body: Expression, scope: Scope, site: Site, use: (list: string, site: Site) => string): string {
  const list = fresh(scope.writer, "r");
  const add = smallSink((value) => `${list}.push(${value});\n`);
  return `const ${list} = [];\n${emit(body, scope, notLast(site), add)}${use(list, site)}`;
}

function emitAttribute(events: Expression, names: Expression, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  return emitBound(events, scope, site, (event, s) =>
    emit(
      names,
      withoutPath(scope),
      s,
      valueSink((name, at) => {
        const key = fresh(writer, "k");
        const found = `const ${key} = ${helper(writer, "attributeKey")}(${event}, ${helper(writer, "text")}(${name}));\n`;
        return `${found}if (${key} !== undefined) {\n${sink.write({ value: `${event}[${key}]` }, at)}}\n`;
      }),
    ),
  );
}
