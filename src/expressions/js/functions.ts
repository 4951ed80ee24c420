import { type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { lookUp } from "../analysis/substitute.ts";
import type { Call, Define, Expression } from "../core/ast.ts";
import { emit } from "./emit.ts";
import { argumentsOf, functionOf, type Place, recursiveFunction, routeNamed, type Sink } from "./place.ts";
import {
  type Callee,
  type FunctionCallee,
  isTracked,
  type ParameterCallee,
  refuse,
  type Scope,
  type Version,
  withDot,
} from "./scope.ts";
import { breaksOut } from "./traits.ts";
import { wordOf } from "./words.ts";
import { callStatement, counted, type Exit, type Frame, frameIn, fresh, type Site, type Writer } from "./writer.ts";

/** Declares the generated functions of a definition at its place. */
export function emitDefine(definition: Define, scope: Scope, site: Site, sink: Sink): Block {
  const callee: FunctionCallee = {
    kind: "function",
    definition,
    scope,
    frame: site.frame,
    plain: undefined,
    tracking: undefined,
    declarations: [],
  };
  const inside: Scope = { ...scope, functions: { name: definition.name, value: callee, outer: scope.functions } };
  callee.scope = inside;
  const rest = emit(definition.rest, inside, site, sink);
  return [...callee.declarations, ...rest];
}

/** A call, whose last argument consumes the outputs. */
export function emitApply(expression: Call, scope: Scope, site: Site, sink: Sink): Block {
  const callee = lookUp(scope.functions, expression.name);
  if (!callee) throw new Error(`Unknown function: ${expression.name}`);
  return callee.kind === "parameter"
    ? callParameter(expression, callee, scope, site, sink)
    : callFunction(callee, expression, scope, site, sink);
}

function callParameter(
  expression: Call,
  { name, passes, tries }: ParameterCallee,
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
  const { writer, dot } = scope;
  if (writer.argumentsBreak && scope.tries > tries) refuse(expression, brokenTry);
  const next = callbackOf(sink, scope, site);
  const call = js.call(name, [...argumentsOf(dot, writer.tracking, writer), next.code]);
  return callStatement(writer, call, [passes, ...next.exits], site);
}

const brokenTry = "A `break` that a function does inside of a `try`, to a label around it, is not supported.";

function callFunction(callee: FunctionCallee, expression: Call, scope: Scope, site: Site, sink: Sink): Block {
  const { writer, dot } = scope;
  const { args } = expression;
  const version = versionOf(callee, isTracked(scope), writer);
  if (!version.done && repeats(version, args, scope, site, sink)) return repeated(version, scope);
  const functions = args.map((argument) => argumentOf(argument, scope, site));
  const next = callbackOf(sink, scope, site);
  const codes = [...argumentsOf(dot, isTracked(scope), writer), ...functions.map(({ code }) => code), next.code];
  const own = version.done ? [...version.frame.exits].filter((exit) => exit !== version.passes) : [version.passes];
  if (scope.tries > callee.scope.tries && (version.done ? own.length > 0 : breaksOut(callee.definition.body)))
    refuse(expression, brokenTry);
  const exits = new Set([...own, ...functions.flatMap((argument) => argument.exits), ...next.exits]);
  return callStatement(writer, js.call(version.name, codes), exits, site);
}

interface Passed {
  readonly code: Code;
  readonly exits: readonly Exit[];
}

function callbackOf(sink: Sink, scope: Scope, site: Site): Passed {
  if (sink.callback) return { code: js.name(sink.callback.name), exits: [sink.callback.passes] };
  const { body, exits, parameters } = functionOf(scope, site, sink, isTracked(scope));
  return { code: js.arrow(parameters, body), exits: [...exits] };
}

/** An argument as a function of an input. */
function argumentOf(argument: Expression, scope: Scope, site: Site): Passed {
  const known = parameterIn(argument, scope);
  if (known) return { code: js.name(known.name), exits: [known.passes] };
  const { writer } = scope;
  const frame = frameIn(site.frame);
  const [callback, passes] = [fresh(writer, callbackKind(writer.tracking)), passesOf(site.frame)];
  const input = inputOf(writer.tracking, writer);
  const body = emit(
    argument,
    withDot(scope, input.place),
    { frame, tail: true },
    passing(callback, passes, writer.tracking, writer),
  );
  frame.exits.delete(passes);
  return { code: js.arrow([...input.names, callback], body), exits: [...frame.exits] };
}

function parameterIn(argument: Expression, scope: Scope): ParameterCallee | undefined {
  if (argument.kind !== "call" || !argument.isLocal || argument.args.length > 0) return undefined;
  const callee: Callee | undefined = lookUp(scope.functions, argument.name);
  return callee?.kind === "parameter" ? callee : undefined;
}

const callbackKind = (tracks: boolean) => (tracks ? "pathCallback" : "callback");

const passesOf = (frame: Frame): Exit => ({ frame, name: "", used: false, crossed: false });

function inputOf(tracks: boolean, writer: Writer): { readonly names: readonly string[]; readonly place: Place } {
  const value = fresh(writer, "value", "input");
  if (!tracks) return { names: [value], place: { value: js.name(value) } };
  const [path, at, copied] = [fresh(writer, "optionalPath"), fresh(writer, "at"), fresh(writer, "copied")];
  const route = routeNamed(path, { root: path, keys: [], dynamic: true });
  const place: Place = { value: js.name(value), path: route, at: js.name(at), copied: js.name(copied) };
  return { names: [value, path, at, copied], place };
}

/** Outputs that are given to a function which was given from outside. */
const passing = (name: string, passes: Exit, tracks: boolean, writer: Writer): Sink => ({
  small: true,
  callback: { name, passes },
  write: (place, at) => callStatement(writer, js.call(name, argumentsOf(place, tracks, writer)), [passes], at),
});

/** The function of the program, which is written when it is first called. */
function versionOf(callee: FunctionCallee, tracks: boolean, writer: Writer): Version {
  const known = tracks ? callee.tracking : callee.plain;
  if (known) return known;
  const { definition, scope } = callee;
  const input = inputOf(tracks, writer);
  const version: Version = {
    name: fresh(writer, "action", wordOf(definition.name)),
    frame: frameIn(callee.frame),
    passes: passesOf(callee.frame),
    input: input.names,
    parameters: definition.parameters.map((name) =>
      fresh(writer, writer.tracking ? "pathClosure" : "closure", wordOf(name)),
    ),
    callback: fresh(writer, callbackKind(tracks)),
    done: false,
    repeats: false,
  };
  if (tracks) callee.tracking = version;
  else callee.plain = version;
  let { functions } = scope;
  for (const [i, name] of definition.parameters.entries())
    functions = {
      name,
      value: { kind: "parameter", name: version.parameters[i]!, passes: version.passes, tries: scope.tries },
      outer: functions,
    };
  const sink = passing(version.callback, version.passes, tracks, writer);
  const inside = { ...scope, functions, dot: input.place };
  const body = emit(definition.body, inside, { frame: version.frame, tail: true }, sink);
  callee.declarations.push(declarationOf(version, [...counted(writer), ...body]));
  version.done = true;
  return version;
}

/** `const f1 = (x2, k3) => { … };`, in a loop where it begins again. */
function declarationOf({ name, input, parameters, callback, repeats }: Version, body: Block): Block[number] {
  const whole = repeats ? [js.labeled(name, { kind: "for", body: [...body, js.returnStatement()] })] : body;
  return js.constant(name, recursiveFunction([...input, ...parameters, callback], whole));
}

/** Whether a call is the last thing that a function does, for the same outputs and functions: it can begin again then. */
function repeats(version: Version, args: readonly Expression[], scope: Scope, site: Site, sink: Sink): boolean {
  const isOwn = site.tail && site.frame === version.frame && sink.callback?.name === version.callback;
  return isOwn && args.every((argument, i) => parameterIn(argument, scope)?.name === version.parameters[i]);
}

/** The inputs of the next round: `x1 = …; continue f1;`, `[x1, p2, w3] = […]; continue f1;` */
function repeated(version: Version, { dot, writer }: Scope): Block {
  version.repeats = true;
  const [first, ...others] = version.input.map((name) => js.name(name));
  const next = argumentsOf(dot, others.length > 0, writer);
  const move =
    others.length === 0
      ? js.assign(first!, next[0]!)
      : js.assign({ kind: "arrayPattern", elements: [first!, ...others] }, js.array(next));
  return [move, js.continueStatement(version.name)];
}
