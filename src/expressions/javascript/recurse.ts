import type { Expression, Recurse } from "../core/ast.ts";
import { childrenOf } from "../core/walk.ts";
import { canFail, outputs } from "../facts/facts.ts";
import { emit } from "./emit.ts";
import { argumentsOf, functionOf, isSingle, slotsOf } from "./joins.ts";
import { type Place, routeCode, routeNamed, type Sink, sinkOf } from "./place.ts";
import { isTracked, type Scope, withDot } from "./scope.ts";
import { callStatement, frameIn, fresh, helper, notLast, type Site } from "./writer.ts";

/** `recurse(E)`: the input, and then what comes of each output of E. */
export function emitRecurse(expression: Recurse, scope: Scope, site: Site, sink: Sink): string {
  const { body } = expression;
  if (body.kind === "iterate" && body.optional && body.source.kind === "identity" && scope.dot.at === undefined)
    return emitEverything(scope, site, sink);
  if (isSingle(outputs(body))) return emitSteps(body, scope, site, sink);
  if (endsSurely(body)) return emitStack(body, scope, site, sink);
  return emitCalls(body, scope, site, sink);
}

/** `..` */
function emitEverything(scope: Scope, site: Site, sink: Sink): string {
  const { writer, dot } = scope;
  const name = fresh(writer, "v");
  if (!dot.path)
    return `for (const ${name} of ${helper(writer, "everything")}(${dot.value})) {\n${sink.write({ value: name }, notLast(site))}}\n`;
  const path = fresh(writer, "p");
  const places = `${helper(writer, "everywhere")}(${dot.value}, ${routeCode(dot.path, writer)})`;
  const body = sink.write({ value: name, path: routeNamed(path, dot.path) }, notLast(site));
  return `for (const [${name}, ${path}] of ${places}) {\n${body}}\n`;
}

/** An expression without several outputs: a loop in which each value comes from the one before. */
function emitSteps(body: Expression, scope: Scope, site: Site, sink: Sink): string {
  const [now, next] = [slotsOf(scope, isTracked(scope)), slotsOf(scope, isTracked(scope))];
  const first = now.fill.write(scope.dot, site);
  const output = sink.write(now.place, notLast(site));
  const step = emit(body, withDot(scope, now.place), notLast(site), next.fill);
  const move = now.names.map((name, i) => `${name} = ${next.names[i]};\n`).join("");
  const [value] = next.names;
  return `let ${now.names.join(", ")};\n${first}for (;;) {\n{\n${output}}\nlet ${next.names.join(", ")};\n${step}if (${value} === undefined) break;\n${move}}\n`;
}

/** All outputs of E for a value are computed when that has been put out; where that fails, those before come first. */
function emitStack(body: Expression, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  const tracks = isTracked(scope);
  const [open, list, error] = [fresh(writer, "r"), fresh(writer, "r"), fresh(writer, "e")];
  const slots = slotsOf(scope, tracks);
  const entry = (place: Place) => (tracks ? `[${argumentsOf(place, true, writer)}]` : place.value);
  const collect: Sink = { small: true, write: (place) => `${list}.push(${entry(place)});\n` };
  const output = sink.write(slots.place, notLast(site));
  const inner = emit(body, withDot(scope, slots.place), notLast(site), collect);
  const taken = fresh(writer, "v");
  const delayed = helper(writer, "Delayed");
  const fails = tracks || canFail(body);
  const check = fails ? `if (${taken} instanceof ${delayed}) throw ${taken}.error;\n` : "";
  const guarded = fails ? `try {\n${inner}} catch (${error}) {\n${open}.push(new ${delayed}(${error}));\n}\n` : inner;
  const names = tracks ? `[${slots.names.join(", ")}]` : slots.names[0];
  const push = `while (${list}.length > 0) ${open}.push(${list}.pop());\n`;
  return `const ${open} = [${entry(scope.dot)}];\nwhile (${open}.length > 0) {\nconst ${taken} = ${open}.pop();\n${check}const ${names} = ${taken};\n${output}const ${list} = [];\n${guarded}${push}}\n`;
}

/** Where E may have outputs without end, a function that calls itself for each of them. */
function emitCalls(body: Expression, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  const tracks = isTracked(scope);
  const [name, frame] = [fresh(writer, "f"), frameIn(site.frame)];
  const slots = slotsOf(scope, tracks);
  const at: Site = { frame, tail: false };
  const output = functionOf(scope, site, sink, tracks);
  const sinkName = fresh(writer, "f");
  const all = { frame: site.frame, name: "", used: false, crossed: false };
  const put = callStatement(writer, `${sinkName}(${argumentsOf(slots.place, tracks, writer)})`, output.exits, at);
  const again = sinkOf((place, inner) =>
    callStatement(writer, `${name}(${argumentsOf(place, tracks, writer)})`, [all], inner),
  );
  const text = `${put}${emit(body, withDot(scope, slots.place), at, again)}`;
  frame.exits.delete(all);
  const start = callStatement(writer, `${name}(${argumentsOf(scope.dot, tracks, writer)})`, frame.exits, site);
  return `const ${sinkName} = (${output.parameters.join(", ")}) => {\n${output.text}};\nconst ${name} = (${slots.names.join(", ")}) => {\n${text}};\n${start}`;
}

/** Whether an expression surely has an end of its outputs. */
function endsSurely(expression: Expression): boolean {
  if (["recurse", "apply", "define"].includes(expression.kind)) return false;
  if (expression.kind === "call" && expression.name === "range") return false;
  return childrenOf(expression).every((child) => endsSurely(child.expression));
}
