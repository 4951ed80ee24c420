import { type BindingPattern, type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { canFail, outputs } from "../analysis/effects.ts";
import type { Expression, Recurse } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";
import { emit } from "./emit.ts";
import {
  addTo,
  argumentsOf,
  declared,
  functionOf,
  isSingle,
  type Place,
  recursiveFunction,
  routeCode,
  routeNamed,
  type Sink,
  sinkOf,
  slotsOf,
} from "./place.ts";
import { isTracked, type Scope, withDot } from "./scope.ts";
import { isEverything } from "./traits.ts";
import { callStatement, counted, frameIn, fresh, helped, helperNamed, notLast, type Site } from "./writer.ts";

/** `recurse(E)`: the input, and then the results from each output of E. */
export function emitRecurse(expression: Recurse, scope: Scope, site: Site, sink: Sink): Block {
  const [body] = expression.args;
  if (isEverything(expression) && scope.dot.at === undefined) return emitEverything(scope, site, sink);
  if (isSingle(outputs(body))) return emitSteps(body, scope, site, sink);
  if (endsSurely(body)) return emitStack(body, scope, site, sink);
  return emitCalls(body, scope, site, sink);
}

/** `..` */
function emitEverything(scope: Scope, site: Site, sink: Sink): Block {
  const { writer, dot } = scope;
  const name = fresh(writer, "item");
  const value = js.name(name);
  if (!dot.path) {
    const output = sink.write({ value }, notLast(site));
    return [js.forOf(name, helped(writer, "everything", dot.value), output)];
  }
  const path = fresh(writer, "path");
  const places = helped(writer, "everywhere", dot.value, routeCode(dot.path, writer));
  const body = sink.write({ value, path: routeNamed(path, dot.path) }, notLast(site));
  return [js.forOf(listPattern([name, path]), places, body)];
}

const listPattern = (names: readonly string[]): BindingPattern => ({
  kind: "arrayPattern",
  elements: names.map((name) => js.name(name)),
});

/** An expression without several outputs: a loop that computes each value from the one before. */
function emitSteps(body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const tracks = isTracked(scope);
  const [now, next] = [slotsOf(scope, tracks, true), slotsOf(scope, tracks)];
  const initial = argumentsOf(scope.dot, tracks, scope.writer);
  const output = sink.write(now.place, notLast(site));
  const step = emit(body, withDot(scope, now.place), notLast(site), next.fill);
  const move = now.names.map((name, i) => js.assign(name, js.name(next.names[i]!)));
  const isOver = js.binary(next.place.value, "===", js.undefinedName);
  const round = [
    ...counted(scope.writer),
    js.block(output),
    ...declared(next),
    ...step,
    js.ifStatement(isOver, [js.breakStatement()]),
    ...move,
  ];
  return [...now.names.map((name, i) => js.variable(name, initial[i])), { kind: "for", body: round }];
}

/** All outputs of E for a value are computed when that has been put out; where that fails, those before come first. */
function emitStack(body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const tracks = isTracked(scope);
  const [open, list, error] = [fresh(writer, "stack", "open"), fresh(writer, "stack"), fresh(writer, "error")];
  const slots = slotsOf(scope, tracks);
  const entry = (place: Place): Code => (tracks ? js.array(argumentsOf(place, true, writer)) : place.value);
  const collect: Sink = { small: true, write: (place, at) => addTo(list).write({ value: entry(place) }, at) };
  const output = sink.write(slots.place, notLast(site));
  const inner = emit(body, withDot(scope, slots.place), notLast(site), collect);
  const taken = js.name(fresh(writer, "value", "taken"));
  const push = (value: Code) => js.expressionStatement(js.method(js.name(open), "push", [value]));
  const popped = (from: string) => js.method(js.name(from), "pop");
  const isLeft = (from: string) => js.binary(js.member(js.name(from), "length"), ">", js.literal(0));
  const delayed = helperNamed(writer, "Delayed");
  const isDelayed = js.binary(taken, "instanceof", delayed);
  const fails = tracks || canFail(body);
  const round = [
    ...counted(writer),
    js.constant(taken, popped(open)),
    ...(fails ? [js.ifStatement(isDelayed, [js.throwStatement(js.member(taken, "error"))])] : []),
    js.constant(tracks ? listPattern(slots.names) : slots.names[0]!, js.as(taken, js.keyword("any"))),
    ...output,
    js.constant(list, js.array([])),
    ...(fails ? [js.tryStatement(inner, error, [push(js.newExpression(delayed, [js.name(error)]))])] : inner),
    js.whileStatement(isLeft(list), [push(popped(list))]),
  ];
  return [js.constant(open, js.array([entry(scope.dot)])), js.whileStatement(isLeft(open), round)];
}

/** Where E may have outputs without end, a function that calls itself for each of them. */
function emitCalls(body: Expression, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const tracks = isTracked(scope);
  const [name, frame] = [fresh(writer, "action", "visit"), frameIn(site.frame)];
  const slots = slotsOf(scope, tracks);
  const at: Site = { frame, tail: false };
  const output = functionOf(scope, site, sink, tracks);
  const sinkName = fresh(writer, "action");
  const all = { frame: site.frame, name: "", used: false, crossed: false };
  const put = callStatement(writer, js.call(sinkName, argumentsOf(slots.place, tracks, writer)), output.exits, at);
  const again = sinkOf((place, inner) =>
    callStatement(writer, js.call(name, argumentsOf(place, tracks, writer)), [all], inner),
  );
  const round = [...counted(writer), ...put, ...emit(body, withDot(scope, slots.place), at, again)];
  frame.exits.delete(all);
  return [
    js.constant(sinkName, js.arrow(output.parameters, output.body)),
    js.constant(name, recursiveFunction(slots.names, round)),
    ...callStatement(writer, js.call(name, argumentsOf(scope.dot, tracks, writer)), frame.exits, site),
  ];
}

/** Whether an expression surely has an end of its outputs. */
function endsSurely(expression: Expression): boolean {
  if (expression.kind === "define") return false;
  if (expression.kind === "call" && (expression.isLocal || ["recurse", "range"].includes(expression.name)))
    return false;
  return childrenOf(expression).every((child) => endsSurely(child.expression));
}
