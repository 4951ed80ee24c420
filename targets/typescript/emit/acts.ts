import type { Act, Block, Web } from "../../../src/flow/index.ts";
import { handlersOf } from "../../../src/ir/walk.ts";
import type { Handler, Step } from "../../../src/ir/workflow.ts";
import { assertNever } from "../../../src/json.ts";
import { quoted } from "../expressions/literal.ts";
import { atom, type Written } from "../expressions/written.ts";
import { writeAssign } from "./assign.ts";
import { negated, originComment } from "./blocks.ts";
import { writeAttempt, writeForEach, writeFork } from "./concurrent.ts";
import { writeCall, writeDelay, writeEmit, writeInvoke, writeReceive } from "./effects.ts";
import { writeEnd } from "./ends.ts";
import { errorUse } from "./known.ts";
import { imported } from "./module.ts";
import { conditionAt, type Place } from "./place.ts";

/** How blocks in a step are written. */
export type Inner = (block: Block, place: Place) => readonly string[];

/** A step, and what is done where it fails and that is handled. */
export function writeAct(act: Act, place: Place, inner: Inner): readonly string[] {
  const { step } = act;
  const work = writeStep(act, place);
  const comment = originComment(step);
  if (act.handlers.length === 0) return [...comment, ...work];
  return [...comment, "try {", ...work, "} catch (caught) {", ...writeHandlers(act, place, inner), "}"];
}

function writeStep(act: Act, place: Place): readonly string[] {
  const { step } = act;
  switch (step.kind) {
    case "assign":
      return writeAssign(step, place);
    case "call":
      return writeCall(step, place);
    case "delay":
      return writeDelay(step, place);
    case "receive":
      return writeReceive(step, place);
    case "emit":
      return writeEmit(step, place);
    case "fork":
      return writeFork(step, place);
    case "foreach":
      return writeForEach(step, place);
    case "invoke":
      return writeInvoke(step, place);
    case "attempt":
      return writeAttempt(step, act.body ?? [], place);
    case "end":
      return writeEnd(step, place);
    case "choose":
      throw new Error(`A choice is no act: ${step.id}`);
    default:
      return assertNever(step);
  }
}

/** What stands before a value that a step gives: a declaration, an assignment, or nothing where it is not read. */
export function binding(place: Place, web: Web | undefined): string {
  const variable = web && place.variables.get(web.id);
  if (!variable || !web) return "";
  return place.constants.has(web.id) ? `const ${variable.name} = ` : `${variable.name} = `;
}

/** The name of a step in the scope where it stands: marks that count steps are not in it. */
export function stepName({ prefix }: Pick<Place, "prefix">, id: string): string {
  const name = id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : id;
  return name.replace(/[%#[]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

/** The same as a literal. */
export const quotedName = (place: Place, { id }: Step): string => quoted(stepName(place, id));

function writeHandlers({ step, handlers: blocks }: Act, around: Place, inner: Inner): readonly string[] {
  const handlers = handlersOf(step);
  const place: Place = { ...around, names: around.names.inner() };
  const name = place.names.fresh("error");
  const bound = handlers.map((handler, i) =>
    bindError(handler, place.webs.defined(step.id, handler.bind ?? "", i), name, place),
  );
  const tests = testsOf(handlers, step.id, name, place);
  const ways = tests.map((test, i) => ({ test, lines: [...bound[i]!, ...inner(blocks[i]!, place)] }));
  const isNamed = ways.some(({ test, lines }) => mentions([test?.text ?? "", ...lines], name));
  const call = `${imported(place.module, "failure")}(caught)`;
  return [isNamed ? `const ${name} = ${call};` : `${call};`, ...chain(ways)];
}

/** The conditions of handlers. Where one has ruled out names, the type checker is not to draw conclusions for those after it. */
function testsOf(
  handlers: readonly Handler[],
  step: string,
  name: string,
  place: Place,
): readonly (Written | undefined)[] {
  let text = name;
  return handlers.map((handler) => {
    if (isAlways(handler)) return undefined;
    const error = atom(text, { use: errorUse, isPresent: true });
    const test = conditionAt(place, step, handler.when, new Map([["error", error]]));
    if (test.text.includes("!")) text = `(${name} as ${imported(place.module, "type ErrorValue")})`;
    return test;
  });
}

function chain(
  ways: readonly { readonly test: Written | undefined; readonly lines: readonly string[] }[],
): readonly string[] {
  const [first, ...rest] = ways;
  if (!first) return ["throw caught;"];
  if (first.test === undefined) return first.lines;
  if (rest.length === 0) return [`if (${negated(first.test)}) throw caught;`, ...first.lines];
  const head = [`if (${first.test.text}) {`, ...first.lines];
  const goesOn = !/^(?:return|throw|break|continue)\b/.test(first.lines.at(-1) ?? "");
  return goesOn ? [...head, "} else {", ...chain(rest), "}"] : [...head, "}", ...chain(rest)];
}

/** The error as a variable of the workflow: the constant itself where only the handler's block sees it. */
function bindError(
  { bind }: Handler,
  web: Web | undefined,
  name: string,
  { variables, constants }: Place,
): readonly string[] {
  if (bind === undefined || !web) return [];
  if (constants.has(web.id)) variables.set(web.id, { name, use: errorUse, type: "Json", isPresent: true });
  const variable = variables.get(web.id);
  return !variable || variable.name === name
    ? []
    : [`${variable.name} = ${name} as Json${variable.type === "Json" ? "" : ` as ${variable.type}`};`];
}

const isAlways = ({ when }: Handler): boolean => when.kind === "literal" && when.value === true;

const mentions = (lines: readonly string[], name: string): boolean =>
  new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}(?![\\w$])`).test(lines.join("\n"));
