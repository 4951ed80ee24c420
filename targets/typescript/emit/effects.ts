import { canFail, type Expression } from "../../../src/expressions/index.ts";
import { retriesOf } from "../../../src/ir/walk.ts";
import type {
  EventCombination,
  Backoff,
  Call,
  Delay,
  Emit,
  ForEach,
  Invoke,
  EventPattern,
  Receive,
  Retry,
  SecretRead,
  Step,
} from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  isIdentifierName,
  js,
  type Property,
  type JsExpression as Tree,
} from "../../../src/js-ast/index.ts";
import { type Written, written } from "../../../src/readable/written.ts";
import { errorUse, eventUse } from "./known.ts";
import { scriptNamed, workflowNamed } from "./module.ts";
import { conditionAt, expressionAt, linesAndExpression, type Place } from "./place.ts";
import { bound, boundAsJson, effect, webOf } from "./steps.ts";

/** A call of a function: `const answer = await flow.step("Reserve", (step) => fn.reserve(argument, step));` */
export function writeCall(step: Call, place: Place): Code {
  if (!step.wait) return writeStart(step, place);
  const call = callOf(step, place, argumentOf(step, place));
  return [boundAsJson(place, webOf(place, step), effect(place, "step", step, [call, options(limitsOf(step, place))]))];
}

/** A call that nobody waits for: `await flow.start("Tell", (step) => fn.tell(argument, step));` What may fail is computed before, as its failure is the step's. */
function writeStart(step: Call, place: Place): Code {
  const given = argumentOf(step, place);
  const isKept = canFail(step.argument) && !step.secrets?.length;
  const argument = isKept ? js.name(place.names.fresh("argument")) : given;
  const before = argument === given || argument.kind !== "identifier" ? [] : [js.constant(argument, given)];
  return [...before, js.expressionStatement(effect(place, "start", step, [callOf(step, place, argument)]))];
}

function argumentOf({ id, argument, secrets = [] }: Call, place: Place): Tree {
  const read = new Map(secrets.map((secret) => [secret.bind, secretCode(secret)] as const));
  return expressionAt(place, id, argument, read).code;
}

/** What a call does: `(step) => fn.reserve(argument, step)`, or `() => discount(argument)` for a function whose text the definition has. */
function callOf({ function: { name }, secrets = [] }: Call, place: Place, argument: Tree): Tree {
  const script = scriptNamed(place.module, name);
  if (script) return js.arrow([], js.call(script, [argument]));
  const fn = js.name("fn");
  const call = js.call(memberOf(fn, name), [argument, js.name("step")]);
  return js.arrow(["step"], call, { async: secrets.length > 0 });
}

const memberOf = (object: Tree, name: string): Tree =>
  isIdentifierName(name) && name !== "__proto__" ? js.member(object, name) : js.element(object, js.literal(name));

/** A secret, looked up where it is sent: `await fn.lockboxPayload({ id: "e6q", key: "token" }, step)` */
function secretCode({ reader, id, key, version }: SecretRead): Written {
  const name = js.value({ id, key, ...(version === undefined ? {} : { version }) });
  return written(js.awaitExpression(js.call(memberOf(js.name("fn"), reader.name), [name, js.name("step")])), {
    isPresent: true,
  });
}

/** A wait for time to pass: `await flow.sleep("Cool off", 60);` */
export function writeDelay(step: Delay, place: Place): Code {
  if (step.wait.kind === "until")
    return [
      js.expressionStatement(effect(place, "sleepUntil", step, [expressionAt(place, step.id, step.wait.instant).code])),
    ];
  const seconds = expressionAt(place, step.id, step.wait.seconds);
  const time = seconds.type === "number" ? seconds.code : js.call("Number", [seconds.code]);
  return [js.expressionStatement(effect(place, "sleep", step, [time]))];
}

/** A wait for events: `const received = await flow.receive("Wait", { alternatives: [{ all: [["Paid"]] }] });` */
export function writeReceive(step: Receive, place: Place): Code {
  const alternatives = step.alternatives.map((alternative) =>
    alternativeCode(alternative, (pattern) => patternCode(pattern, step.id, place)),
  );
  const wait = js.record({
    alternatives: js.array(alternatives),
    unused: step.unused === "drop" ? js.literal("drop") : undefined,
  });
  return [bound(place, webOf(place, step), effect(place, "receive", step, [wait]))];
}

/** A combination of events: `{ all: [["Paid"]], within: 60 }` */
export const alternativeCode = (
  { all, none, within }: EventCombination,
  pattern: (pattern: EventPattern) => Tree,
): Tree =>
  js.record({
    all: js.array(all.map((group) => js.array(group.map(pattern)))),
    none: none.length === 0 ? undefined : js.array(none.map(pattern)),
    within: within === undefined ? undefined : js.literal(within),
  });

function patternCode({ event, when }: EventPattern, step: string, place: Place): Tree {
  if (!when) return js.literal(event.name);
  const name = place.names.inner().fresh("event");
  const given = written(js.name(name), { use: eventUse, isPresent: true });
  const test = conditionAt(place, step, when, new Map([["event", given]]));
  return js.record({ event: js.literal(event.name), when: js.arrow([name], test.code) });
}

/** An event that is produced: `await flow.emit("Placed", "OrderPlaced", data);` */
export function writeEmit(step: Emit, place: Place): Code {
  const { attributes } = step;
  const more = attributes && Object.keys(attributes).length > 0 ? js.value(attributes) : undefined;
  const data = expressionAt(place, step.id, step.data).code;
  return [js.expressionStatement(effect(place, "emit", step, [js.literal(step.event.name), data, more]))];
}

/** Another workflow: `const result = await flow.invoke("Ship", ship, input);` */
export function writeInvoke(step: Invoke, place: Place): Code {
  const workflow = workflowNamed(place.module, step.workflow.name) ?? js.literal(step.workflow.name);
  const input = triedAgain(step, step.input, place) ?? expressionAt(place, step.id, step.input).code;
  if (!step.wait) return [js.expressionStatement(effect(place, "launch", step, [workflow, input]))];
  const terminates = step.terminates ? [js.property("terminates", js.literal(true))] : [];
  const more = options([...limitsOf(step, place), ...terminates]);
  return [bound(place, webOf(place, step), effect(place, "invoke", step, [workflow, input, more]))];
}

/** What computes a value that a step is given, where it may fail and is then tried again: `() => value`. */
export function triedAgain(
  step: ForEach | Invoke,
  value: Expression,
  place: Place,
  given: (value: Written) => Tree = ({ code }) => code,
): Tree | undefined {
  if (step.retries.length === 0 || !canFail(value)) return undefined;
  const inner: Place = { ...place, names: place.names.inner() };
  const { lines, written } = linesAndExpression(inner, step.id, value, false);
  const code = given(written);
  return js.arrow([], lines.length === 0 ? code : [...lines, js.returnStatement(code)]);
}

/** Members as an object for the last argument; nothing where there are none. */
export const options = (members: readonly Property[]): Tree | undefined =>
  members.length === 0 ? undefined : js.object(members);

/** The limits of a step as members of an object: `timeout: 10, retries: [{ limit: 2, base: 1 }]` */
export function limitsOf(step: Step, place: Place): readonly Property[] {
  const timeout = "timeout" in step && step.timeout !== undefined ? [numbered("timeout", step.timeout)] : [];
  const retries = retriesOf(step).map((retry) => retryCode(retry, step.id, place));
  return [...timeout, ...(retries.length === 0 ? [] : [js.property("retries", js.array(retries))])];
}

/** `name: 1` */
export const numbered = (name: string, value: number): Property => js.property(name, js.literal(value));

function retryCode({ when, limit, delay }: Retry, step: string, place: Place): Tree {
  const isAlways = when.kind === "literal" && when.value === true;
  const condition = isAlways ? [] : [js.property("when", errorTest(when, step, place))];
  return js.object([...condition, numbered("limit", limit), ...backoffOf(delay)]);
}

/** A condition on the error: `(error) => error.name === "Busy"` */
function errorTest(when: Expression, step: string, place: Place): Tree {
  const name = place.names.inner().fresh("error");
  const error = written(js.name(name), { use: errorUse, isPresent: true });
  return js.arrow([name], conditionAt(place, step, when, new Map([["error", error]])).code);
}

function backoffOf({ base, factor, step, cap, jitter }: Backoff): readonly Property[] {
  return [
    ...(base === 0 ? [] : [numbered("base", base)]),
    ...(factor === 1 ? [] : [numbered("factor", factor)]),
    ...(step === 0 ? [] : [numbered("step", step)]),
    ...(cap === undefined ? [] : [numbered("cap", cap)]),
    ...(jitter === undefined ? [] : [js.property("jitter", js.object([numbered(jitter.kind, jitter.amount)]))]),
  ];
}
