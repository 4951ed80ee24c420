import type { Expression } from "../../../src/expressions/index.ts";
import type { Alternative, Call, Delay, Emit, Invoke, Pattern, Receive } from "../../../src/ir/workflow.ts";
import { quoted, writeLiteral } from "../expressions/literal.ts";
import { isWord, propertyText } from "../expressions/use.ts";
import { atom, inside, level, listed, type Written } from "../expressions/written.ts";
import { binding, quotedName } from "./acts.ts";
import { eventUse } from "./known.ts";
import { limitMembers, limits, options } from "./limits.ts";
import { functionUse, importedWorkflow } from "./module.ts";
import { conditionAt, expressionAt, type Place } from "./place.ts";

/** A call of a function. */
export function writeCall(step: Call, place: Place): readonly string[] {
  const { name } = step.function;
  const argument = expressionAt(place, step.id, step.argument);
  functionUse(place.module, name).arguments.add(argument.text.startsWith("{") ? argumentType(step.argument) : "Json");
  const call = `(step) => fn${isWord(name) ? `.${name}` : `[${quoted(name)}]`}(${inside(argument, level.choice)}, step)`;
  if (!step.wait) return [`await flow.start(${quotedName(place, step)}, ${call});`];
  const web = step.bind === undefined ? undefined : place.webs.defined(step.id, step.bind);
  const cast = web && !place.constants.has(web.id) ? castTo(place, web.id) : "";
  return [
    `${binding(place, web)}${cast === "" ? "" : "("}await flow.step(${parts([quotedName(place, step), call, ...limits(step, place)])})${cast};`,
  ];
}

/** A variable that several steps set has no function's own type. */
function castTo(place: Place, web: string): string {
  const type = place.variables.get(web)?.type;
  return type === undefined || type === "Json" ? "" : ` as Json) as ${type}`;
}

/** The type of an argument, as far as the definition shows it. */
function argumentType(argument: Expression): string {
  if (argument.kind === "literal") return literalType(argument.value);
  if (argument.kind !== "object") return "Json";
  const members = argument.entries.map(({ key }) =>
    key.kind === "literal" && typeof key.value === "string" ? key.value : undefined,
  );
  if (!members.every((name) => name !== undefined && name !== "__proto__")) return "Json";
  return `{ ${members.map((name) => `readonly ${propertyText(name!)}: Json`).join("; ")} }`;
}

function literalType(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "Json";
  const names = Object.keys(value);
  if (names.length === 0 || names.includes("__proto__")) return "Json";
  return `{ ${names.map((name) => `readonly ${propertyText(name)}: Json`).join("; ")} }`;
}

/** A wait for time to pass. */
export function writeDelay(step: Delay, place: Place): readonly string[] {
  const name = quotedName(place, step);
  if (step.wait.kind === "until")
    return [`await flow.sleepUntil(${name}, ${expressionAt(place, step.id, step.wait.instant).text});`];
  const seconds = expressionAt(place, step.id, step.wait.seconds);
  return [`await flow.sleep(${name}, ${seconds.type === "number" ? seconds.text : `Number(${seconds.text})`});`];
}

/** A wait for events. */
export function writeReceive(step: Receive, place: Place): readonly string[] {
  const web = place.webs.defined(step.id, step.bind);
  const alternatives = step.alternatives.map((alternative) =>
    alternativeText(alternative, (pattern) => patternText(pattern, step.id, place)),
  );
  const wait = objectText({
    alternatives: listed("[", alternatives, "]"),
    ...(step.unused === "drop" ? { unused: '"drop"' } : {}),
  });
  return [`${binding(place, web)}await flow.receive(${parts([quotedName(place, step), wait])});`];
}

/** A combination of events. */
export function alternativeText({ all, none, within }: Alternative, pattern: (pattern: Pattern) => string): string {
  const groups = all.map((group) => listed("[", group.map(pattern), "]"));
  return objectText({
    all: listed("[", groups, "]"),
    ...(none.length === 0 ? {} : { none: listed("[", none.map(pattern), "]") }),
    ...(within === undefined ? {} : { within: writeLiteral(within)!.text }),
  });
}

function patternText({ event, when }: Pattern, step: string, place: Place): string {
  if (!when) return quoted(event.name);
  const name = place.names.inner().fresh("event");
  const test = conditionAt(
    place,
    step,
    when,
    new Map<string, Written>([["event", atom(name, { use: eventUse, isPresent: true })]]),
  );
  return objectText({ event: quoted(event.name), when: `(${name}) => ${inside(test, level.choice)}` });
}

/** An event that is produced. */
export function writeEmit(step: Emit, place: Place): readonly string[] {
  const { attributes } = step;
  const more = attributes && Object.keys(attributes).length > 0 ? [writeLiteral(attributes)!.text] : [];
  const data = inside(expressionAt(place, step.id, step.data), level.choice);
  return [`await flow.emit(${parts([quotedName(place, step), quoted(step.event.name), data, ...more])});`];
}

/** Another workflow. */
export function writeInvoke(step: Invoke, place: Place): readonly string[] {
  const { module } = place;
  const workflow = importedWorkflow(module, step.workflow.name) ?? quoted(step.workflow.name);
  const input = inside(expressionAt(place, step.id, step.input), level.choice);
  if (!step.wait) return [`await flow.launch(${parts([quotedName(place, step), workflow, input])});`];
  const web = step.bind === undefined ? undefined : place.webs.defined(step.id, step.bind);
  const more = options([...limitMembers(step, place), ...(step.terminates ? ["terminates: true"] : [])]);
  return [`${binding(place, web)}await flow.invoke(${parts([quotedName(place, step), workflow, input, ...more])});`];
}

/** The arguments of a call: the first line takes as much as there is room for. */
export function parts(texts: readonly string[]): string {
  return texts.join(", ");
}

/** An object literal. */
export const objectText = (members: { readonly [name: string]: string }): string =>
  listed(
    "{",
    Object.entries(members).map(([name, text]) => `${propertyText(name)}: ${text}`),
    "}",
    " ",
  );
