import { type Block, type JsExpression as Code, isAtom, js, type ObjectMember } from "../../js-ast/index.ts";
import { assertNever } from "../../json.ts";
import { effectsOf, isTotal } from "../analysis/effects.ts";
import { unsupportedInPath } from "../analysis/path-mode.ts";
import { lookUp } from "../analysis/substitute.ts";
import { textParts } from "../analysis/text-parts.ts";
import type {
  ArrayConstruction,
  Binary,
  Call,
  DialectProgram,
  Expression,
  ObjectConstruction,
  Pipe,
} from "../core/ast.ts";
import { lowerDialect } from "../core/dialect.ts";
import { formOf, isBinary } from "../core/views.ts";
import { emitAccess, emitIterate } from "./access.ts";
import { emitCall } from "./calls.ts";
import { emitAlternative, emitComma, emitConditional, emitLogic, emitTry } from "./choices.ts";
import { emitApply, emitDefine } from "./functions.ts";
import { emitFold } from "./loops.ts";
import { emitComputed, emitPath, emitUpdate, tellsPaths } from "./paths.ts";
import { addTo, bound, boundPlace, type Place, type Sink, sinkOf } from "./place.ts";
import { emitQuery } from "./query.ts";
import { dialectNames } from "./readable/dialects.ts";
import { writeOperation } from "./readable/operators.ts";
import { textCode, writeMembers } from "./readable/write.ts";
import { printedExpression } from "./readable/written.ts";
import { emitRecurse } from "./recurse.ts";
import { emitReduction, reductionOf } from "./reductions.ts";
import { isTracked, refuse, type Scope, withDot, withoutPath, withVariable } from "./scope.ts";
import { emitValue, singleValueOf, valueScope } from "./value.ts";
import { wordOf } from "./words.ts";
import { block, exitOf, fresh, helped, leave, notLast, type Site, type Writer } from "./writer.ts";

/** Statements that compute an expression in a scope, with those that a sink makes of each output. */
export function emit(expression: Expression, scope: Scope, site: Site, sink: Sink): Block {
  if (isTracked(scope) && !tellsPaths(expression)) return emitComputed(expression, scope, site, sink);
  const value = emitValue(expression, scope, site, sink);
  if (value) return value;
  switch (expression.kind) {
    case "identity":
      return sink.write(scope.dot, site);
    case "literal":
      return sink.write({ value: js.value(expression.value) }, site);
    case "variable":
      return refuse(expression, `The variable \`$${expression.name}\` has no value.`);
    case "array":
      return emitArray(expression, scope, site, sink);
    case "object":
      return emitObject(expression, scope, site, sink);
    case "query":
      return emitQuery(expression, scope, site, sink);
    case "access":
      return emitAccess(expression, scope, site, sink);
    case "iterate":
      return emitIterate(expression, scope, site, sink);
    case "call":
      return emitAnyCall(expression, scope, site, sink);
    case "define":
      return emitDefine(expression, scope, site, sink);
    case "pipe":
      return emitPipe(expression, scope, site, sink);
    case "comma":
      return emitComma(expression, scope, site, sink);
    case "let":
      return emitLet(expression, scope, site, sink);
    case "if":
      return emitConditional(expression, scope, site, sink);
    case "try":
      return emitTry(expression, scope, site, sink);
    case "fold":
      return emitFold(expression, scope, site, sink);
    case "label":
      return emitLabel(expression, scope, site, sink);
    case "break":
      return leave(lookUp(scope.labels, expression.name)!, site);
    case "dialect":
      return emitDialect(expression, scope, site, sink);
    default:
      return assertNever(expression);
  }
}

/** A program of another language, for each combination of what it reads. */
function emitDialect(program: DialectProgram, scope: Scope, site: Site, sink: Sink): Block {
  const printed = program.dialect.javascript?.(program);
  if (printed) {
    const { reads, print } = printed;
    const from = (codes: readonly Code[], at: Site): Block => {
      const next = reads[codes.length];
      if (next) return emitBound(next, scope, at, (code, inner) => from([...codes, code], inner));
      const values = codes.map((code) => ({ code }));
      return sink.write({ value: print(values, dialectNames(codes, valueScope(scope))) }, at);
    };
    return from([], site);
  }
  const lowered = lowerDialect(program);
  if (!lowered) return refuse(program, `An expression of ${program.dialect.name} has no form in JavaScript.`);
  return emit(lowered, scope, site, sink);
}

function emitAnyCall(call: Call, scope: Scope, site: Site, sink: Sink): Block {
  if (call.isLocal) return emitApply(call, scope, site, sink);
  if (isBinary(call)) {
    const parts = textParts(call);
    return parts ? emitText(parts, scope, site, sink) : emitBinary(call, scope, site, sink);
  }
  const form = formOf(call);
  switch (form?.name) {
    case "and":
    case "or":
      return emitLogic(form, scope, site, sink);
    case "alternative":
      return emitAlternative(form, scope, site, sink);
    case "recurse":
      return emitRecurse(form, scope, site, sink);
    case "path":
      return emitPath(form, scope, site, sink);
    case "update":
      return emitUpdate(form, scope, site, sink);
    case undefined:
      return emitCall(call, scope, site, sink);
    default:
      return assertNever(form);
  }
}

/** Statements for the only value of a plain expression, or for each output of another one, as atoms. */
export function emitBound(
  expression: Expression,
  scope: Scope,
  site: Site,
  use: (atom: Code, site: Site) => Block,
): Block {
  return emit(
    expression,
    withoutPath(scope),
    site,
    sinkOf(({ value }, at) => bound(scope.writer, value, (atom) => use(atom, at))),
  );
}

/** Evaluates several values, the first varying slowest. The code must be evaluated in that order, with nothing in between. */
export function emitAll(
  expressions: readonly Expression[],
  scope: Scope,
  site: Site,
  use: (codes: readonly Code[], site: Site) => Block,
  codes: readonly Code[] = [],
): Block {
  const next = expressions[codes.length];
  if (!next) return use(codes, site);
  const goOn = (code: Code, at: Site) => emitAll(expressions, scope, at, use, [...codes, code]);
  return emit(
    next,
    scope,
    site,
    sinkOf(({ value }, at) => {
      const rest = valuesOf(expressions.slice(codes.length + 1), scope);
      return rest ? use([...codes, value, ...rest], at) : bound(scope.writer, value, (atom) => goOn(atom, at));
    }),
  );
}

/** Code for each of several values; undefined if one needs statements. */
function valuesOf(expressions: readonly Expression[], scope: Scope): readonly Code[] | undefined {
  const found: Code[] = [];
  for (const expression of expressions) {
    const code = singleValueOf(expression, withoutPath(scope));
    if (!code) return undefined;
    found.push(code);
  }
  return found;
}

/** The name of a variable in the program: its own, if that is a word. */
export const variableName = (name: string, writer: Writer): string => fresh(writer, "value", wordOf(name));

function emitPipe({ left, right }: Pipe, scope: Scope, site: Site, sink: Sink): Block {
  const reduction = isTracked(scope) ? undefined : reductionOf(left, right);
  if (reduction) return emitReduction(reduction, scope, site, sink);
  const next: Sink = sinkOf((place, at) =>
    boundPlace(scope.writer, place, (dot) => {
      noteType(dot.value, left, scope.writer);
      return emit(right, withDot(scope, dot), at, sink);
    }),
  );
  return emit(left, scope, site, next);
}

/** Notes the type of a value that is bound to a name. */
function noteType(code: Code, value: Expression, { types }: Writer): void {
  if (code.kind === "identifier" && !types.has(code.name)) types.set(code.name, effectsOf(value).type);
}

function emitLet(expression: Extract<Expression, { kind: "let" }>, scope: Scope, site: Site, sink: Sink): Block {
  const { name, value, body } = expression;
  const reason = isTracked(scope) ? unsupportedInPath(expression, true) : undefined;
  if (reason !== undefined) refuse(value, reason);
  return emit(
    value,
    { ...withoutPath(scope), owned: undefined },
    site,
    sinkOf(({ value: code }, at) => {
      if (isAtom(code)) return emit(body, withVariable(scope, name, code), at, sink);
      const own = variableName(name, scope.writer);
      noteType(js.name(own), value, scope.writer);
      return [js.constant(own, code), ...emit(body, withVariable(scope, name, js.name(own)), at, sink)];
    }),
  );
}

function emitLabel(
  { name, body }: Extract<Expression, { kind: "label" }>,
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
  const exit = exitOf(scope.writer, site);
  return block(exit, emit(body, { ...scope, labels: { name, value: exit, outer: scope.labels } }, site, sink));
}

/** A list that each output is added to. */
function emitArray({ items }: ArrayConstruction, scope: Scope, site: Site, sink: Sink): Block {
  const list = fresh(scope.writer, "list");
  return [
    js.constant(list, js.array([])),
    ...emit(items!, scope, notLast(site), addTo(list)),
    ...sink.write({ value: js.name(list) }, site),
  ];
}

/** The right operand is evaluated first, and varies slowest. */
function emitBinary(expression: Binary, scope: Scope, site: Site, sink: Sink): Block {
  const [left, right] = expression.args;
  const operands = valueScope(scope);
  const second: Sink = sinkOf(({ value }, at) => {
    const whole = (b: Code) =>
      emit(
        left,
        scope,
        at,
        sinkOf(({ value: a }, inner) => {
          const { code } = writeOperation(expression, printedExpression(a), printedExpression(b), operands);
          return sink.write({ value: code }, inner);
        }),
      );
    return isTotal(left) && singleValueOf(left, scope) ? whole(value) : bound(scope.writer, value, whole);
  });
  return emit(right, scope, site, second);
}

/** Members in their order; the key of each is checked when its value is there. */
function emitObject({ entries }: ObjectConstruction, scope: Scope, site: Site, sink: Sink): Block {
  const from = (index: number, members: readonly ObjectMember[], at: Site): Block => {
    const entry = entries[index];
    if (!entry) return sink.write({ value: js.object(members) }, at);
    const { key } = entry;
    if (key.kind === "literal" && typeof key.value === "string") {
      const own = key.value;
      const isRepeated = members.some((member) => member.kind === "property" && member.key === own);
      const further = entries.slice(index + 1);
      const write = (place: Place, s: Site): Block => {
        const rest = isRepeated || hasRepeated(entries) ? undefined : writeMembers(further, valueScope(scope));
        if (rest) return sink.write({ value: js.object([...members, js.property(own, place.value), ...rest]) }, s);
        return bound(scope.writer, place.value, (value) => from(index + 1, withMember(members, own, value), s));
      };
      return emit(entry.value, scope, at, sinkOf(write));
    }
    return emitMember(key, entry.value, scope, at, (member, inner) => from(index + 1, [...members, member], inner));
  };
  return from(0, [], site);
}

function hasRepeated(entries: ObjectConstruction["entries"]): boolean {
  const names = entries.flatMap(({ key }) => (key.kind === "literal" ? [key.value] : []));
  return new Set(names).size < names.length;
}

/** Members with one more, or with another value for one. */
function withMember(members: readonly ObjectMember[], name: string, value: Code): readonly ObjectMember[] {
  const property = js.property(name, value);
  const isSame = (member: ObjectMember) => member.kind === "property" && member.key === name;
  return members.some(isSame) ? members.map((member) => (isSame(member) ? property : member)) : [...members, property];
}

function emitMember(
  key: Expression,
  value: Expression,
  scope: Scope,
  site: Site,
  use: (member: ObjectMember, site: Site) => Block,
): Block {
  const { writer } = scope;
  return emitAll([key, value], scope, site, ([k, v], at) =>
    bound(writer, k!, (keyAtom) =>
      bound(writer, v!, (valueAtom) => {
        if (effectsOf(key).type === "string") return use(js.property(keyAtom, valueAtom), at);
        const name = fresh(writer, "key");
        const checked = js.constant(name, helped(writer, "objectKey", keyAtom));
        return [checked, ...use(js.property(js.name(name), valueAtom), at)];
      }),
    ),
  );
}

/** A sum of strings: the last part is evaluated first, and varies slowest. */
function emitText(parts: readonly Expression[], scope: Scope, site: Site, sink: Sink): Block {
  const before = (end: number, pieces: readonly (string | Code)[], at: Site): Block => {
    const part = parts[end - 1];
    if (part === undefined) return sink.write({ value: textCode(pieces) }, at);
    if (part.kind === "literal" && typeof part.value === "string") return before(end - 1, [part.value, ...pieces], at);
    const isFree = parts.slice(0, end - 1).every((other) => isTotal(other) && singleValueOf(other, scope));
    const goOn = (code: Code, inner: Site) => before(end - 1, [code, ...pieces], inner);
    return emit(
      part,
      scope,
      at,
      sinkOf(({ value }, s) => (isFree ? goOn(value, s) : bound(scope.writer, value, (v) => goOn(v, s)))),
    );
  };
  return before(parts.length, [], site);
}
