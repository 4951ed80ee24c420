import { type Block, type JsExpression as Code, js, negate } from "../../js-ast/index.ts";
import { assertNever } from "../../json.ts";
import { outputs } from "../analysis/effects.ts";
import { pathBehaviorOf } from "../analysis/path-mode.ts";
import type { InlineForm, StreamCall } from "../builtins/builtin.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Call, Expression } from "../core/ast.ts";
import { emit, emitAll, emitBound } from "./emit.ts";
import { functionName, groupingFunction, lengthCode, withSingleKeys } from "./helpers.ts";
import { emitGetPath, emitLimit, emitRange, emitSkip } from "./loops.ts";
import {
  addTo,
  declared,
  dropped,
  firstInto,
  ifPresent,
  isDefined,
  isSingle,
  returnsAt,
  type Sink,
  type Slots,
  slotsOf,
  smallSink,
  truthOf,
  valueSink,
} from "./place.ts";
import { writeMatcher } from "./readable/calls.ts";
import { emitReduction, reductionOfCall } from "./reductions.ts";
import { isTracked, refuse, type Scope, withoutPath } from "./scope.ts";
import { valueFormOf, valueScope } from "./value.ts";
import { block, exitOf, fresh, helped, helperNamed, leave, notLast, type Site, type Writer } from "./writer.ts";

/**
 * A function of the core: of values, once for each combination of them; one that the runtime has for what its arguments yield; or one that is written in
 * place, as it decides how much of them is evaluated.
 */
export function emitCall(expression: Call, scope: Scope, site: Site, sink: Sink): Block {
  const { name, args } = expression;
  const builtin = builtinOf(name, args.length);
  if (!builtin) return refuse(expression, `The function \`${name}\` has no form in JavaScript.`);
  if (isTracked(scope) && (builtin.kind === "value" || !builtin.pathBehavior))
    return emitTrackedCall(expression, scope, site, sink);
  const reduction = isTracked(scope) ? undefined : reductionOfCall(expression);
  if (reduction) return emitReduction(reduction, scope, site, sink);
  if (builtin.kind === "value")
    return emitAll((withSingleKeys(expression) ?? expression).args, scope, site, (codes, at) =>
      sink.write({ value: functionCode(expression, codes, scope.writer) }, at),
    );
  if (builtin.kind === "form") throw new Error(`A form is not called: ${name}`);
  const { javascript } = builtin;
  return typeof javascript === "string"
    ? emitInPlace(javascript, expression, scope, site, sink)
    : emitCalled(javascript, args, [], scope, site, sink);
}

/** A call of a function of values. */
function functionCode(call: Call, codes: readonly Code[], writer: Writer): Code {
  const { name, args } = call;
  const [first] = codes;
  if (name === "not") return negate(truthOf(first!, writer));
  if (name === "length") return lengthCode(first!, (helper) => helperNamed(writer, helper));
  if (name === "_group_by_impl") return helped(writer, groupingFunction(call), ...codes);
  const reduced = first?.kind === "identifier" ? writer.reductions.get(first.name)?.get(name) : undefined;
  return reduced ?? helped(writer, functionName(name, args.length)!, ...codes);
}

function emitInPlace(form: InlineForm, expression: Call, scope: Scope, site: Site, sink: Sink): Block {
  const [first, second] = expression.args as readonly [Expression, Expression];
  switch (form) {
    case "first":
      return emitFirst(first, scope, site, sink);
    case "last":
      return emitLast(first, scope, site, sink);
    case "limit":
      return emitLimit(first, second, scope, site, sink);
    case "skip":
      return emitSkip(first, second, scope, site, sink);
    case "range":
      return emitRange(expression, scope, site, sink);
    case "exists":
      return emitUntil(first, scope, site, sink, dropped);
    case "truthy":
      return emitUntil(first, scope, site, sink, undefined);
    case "attribute":
      return emitAttribute(first, second, scope, site, sink);
    case "count":
      return emitList(first, scope, site, (list, at) => sink.write({ value: js.member(list, "length") }, at));
    case "matches":
      return emitMatching(first, second, true, scope, site, sink);
    case "searches":
      return emitMatching(first, second, false, scope, site, sink);
    default:
      return assertNever(form);
  }
}

/** A call of a function of the runtime with what the arguments yield: each is evaluated before the next. */
function emitCalled(
  called: StreamCall,
  args: readonly Expression[],
  codes: readonly Code[],
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
  const [argument, ...rest] = args;
  if (!argument) {
    const value = helped(scope.writer, called.name, ...codes);
    return called.isOptional ? emitDefined(value, scope, site, sink) : sink.write({ value }, site);
  }
  const next = (code: Code, at: Site): Block => emitCalled(called, rest, [...codes, code], scope, at, sink);
  const takes = called.argumentForms[codes.length]!;
  switch (takes) {
    case "constant":
      return next(operatorOf(argument), site);
    case "all":
      return emitList(argument, scope, site, next);
    case "first":
      return emitFirstOf(argument, scope, site, next);
    case "firstInArray":
      return emitFirstOf(argument, scope, site, (value, at) => next(js.array([value]), at));
    default:
      return assertNever(takes);
  }
}

/** If paths are tracked, `getpath` yields one, and `error` can fail with the value at a path. */
function emitTrackedCall(expression: Call, scope: Scope, site: Site, sink: Sink): Block {
  const { name, args } = expression;
  const known = pathBehaviorOf(expression)?.kind;
  if (known === "path") return emitGetPath(args.at(-1)!, scope, site, sink);
  if (known !== "failure") throw new Error(`This tells no paths: ${name}`);
  const raise = smallSink((value) => [js.expressionStatement(helped(scope.writer, "raise", value))]);
  return emit(args[0]!, scope, site, raise);
}

/** `first(E)` */
function emitFirst(body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  if (isSingle(outputs(body)) || returnsAt(sink, site)) return emit(body, scope, site, sink);
  const surely = body.kind === "comma" && body.items.some((item) => outputs(item) === "one");
  if (body.kind === "comma" && !isTracked(scope)) {
    const slots = slotsOf(scope, false);
    const tries = body.items.map((item) => emitFirstInto(slots, item, scope, site));
    const isMissing = js.binary(slots.place.value, "===", js.undefinedName);
    const all = tries.flatMap((each, i) => (i === 0 ? each : [js.ifStatement(isMissing, each)]));
    return [...declared(slots), ...all, ...ifPresent(slots, surely, site, sink)];
  }
  const slots = slotsOf(scope, isTracked(scope), surely);
  const exit = exitOf(scope.writer, site);
  const found = block(exit, emit(body, scope, notLast(site), firstInto(slots, exit)));
  return [...declared(slots), ...found, ...ifPresent(slots, surely, site, sink)];
}

/** Sets a variable to the first output of an expression, if there is one. */
function emitFirstInto(slots: Slots, body: Expression, scope: Scope, site: Site): Block {
  const value = valueFormOf(body, scope);
  if (value) return slots.fill.write({ value: value.code }, notLast(site));
  if (isSingle(outputs(body))) return emit(body, scope, notLast(site), slots.fill);
  const exit = exitOf(scope.writer, site);
  return block(exit, emit(body, scope, notLast(site), firstInto(slots, exit)));
}

/** `last(E)` */
function emitLast(body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  if (isSingle(outputs(body))) return emit(body, scope, site, sink);
  const slots = slotsOf(scope, false);
  return [...declared(slots), ...emit(body, scope, notLast(site), slots.fill), ...ifPresent(slots, false, site, sink)];
}

/** What a function gives where it gives something. */
function emitDefined(code: Code, { writer }: Scope, site: Site, sink: Sink): Block {
  const value = js.name(fresh(writer, "value"));
  return [js.constant(value, code), js.ifStatement(isDefined(value), sink.write({ value }, site))];
}

const operatorOf = (operator: Expression): Code =>
  operator.kind === "literal" && typeof operator.value === "string"
    ? js.literal(operator.value)
    : refuse(operator, "The comparison of a condition has to be a literal.");

/** Whether a string, or some part of it, matches a pattern. */
function emitMatching(
  text: Expression,
  pattern: Expression,
  isWhole: boolean,
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
  const { writer } = scope;
  const matches = writeMatcher(pattern, isWhole, valueScope(scope));
  return emitFirstOf(text, scope, site, (node, s) => {
    if (matches !== undefined) {
      const isText = js.binary(js.unary("typeof", node), "===", js.literal("string"));
      return sink.write({ value: js.and(isText, matches(node)) }, s);
    }
    return emitFirstOf(pattern, scope, s, (source, at) =>
      sink.write({ value: helped(writer, "matchesNode", node, source, js.literal(isWhole)) }, at),
    );
  });
}

/** Whether something comes out of an expression before it ends; without `test`, something that is true. */
function emitUntil(
  body: Expression,
  scope: Scope,
  site: Site,
  sink: Sink,
  test: ((code: Code) => Block) | undefined,
): Block {
  const { writer } = scope;
  if (returnsAt(sink, site)) {
    const isFound = smallSink((value, at) => {
      const found = sink.write({ value: js.literal(true) }, at);
      return test ? [...test(value), ...found] : [js.ifStatement(truthOf(value, writer), found)];
    });
    return [...emit(body, scope, notLast(site), isFound), ...sink.write({ value: js.literal(false) }, site)];
  }
  const [found, exit] = [fresh(writer, "flag"), exitOf(writer, site)];
  const set = (at: Site) => [js.assign(found, js.literal(true)), ...leave(exit, at)];
  const see = smallSink((value, at) =>
    test ? [...test(value), ...set(at)] : [js.ifStatement(truthOf(value, writer), set(at))],
  );
  return [
    js.variable(found, js.literal(false)),
    ...block(exit, emit(body, scope, notLast(site), see)),
    ...sink.write({ value: js.name(found) }, site),
  ];
}

/** A variable for the first output; undefined without outputs. */
function emitFirstOf(body: Expression, scope: Scope, site: Site, use: (value: Code, site: Site) => Block): Block {
  const slots = slotsOf(scope, false);
  const exit = exitOf(scope.writer, site);
  const found = emit(body, scope, notLast(site), isSingle(outputs(body)) ? slots.fill : firstInto(slots, exit));
  return [...declared(slots), ...block(exit, found), ...use(slots.place.value, site)];
}

function emitList(body: Expression, scope: Scope, site: Site, use: (list: Code, site: Site) => Block): Block {
  const list = fresh(scope.writer, "list");
  return [
    js.constant(list, js.array([])),
    ...emit(body, scope, notLast(site), addTo(list)),
    ...use(js.name(list), site),
  ];
}

function emitAttribute(events: Expression, names: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return emitBound(events, scope, site, (event, s) =>
    emit(
      names,
      withoutPath(scope),
      s,
      valueSink((name, at) =>
        emitDefined(helped(writer, "attributeOf", event, helped(writer, "text", name)), scope, at, sink),
      ),
    ),
  );
}
