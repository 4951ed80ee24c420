import { type Block, pointsOf } from "../../../src/flow/index.ts";
import type { Attempt, Branch, ForEach, Fork } from "../../../src/ir/workflow.ts";
import { writeLiteral } from "../expressions/literal.ts";
import { type ClosedUse, isFreeName, propertyText } from "../expressions/use.ts";
import { listed, type Written } from "../expressions/written.ts";
import { binding, quotedName } from "./acts.ts";
import { writeBlock } from "./blocks.ts";
import { parts } from "./effects.ts";
import { limitMembers, options } from "./limits.ts";
import { camelCase } from "./names.ts";
import { environmentAt, linesAndExpression, type Place } from "./place.ts";
import { type Call, writeFunction } from "./scope.ts";

/** Branches side by side, each a function of the module. */
export function writeFork(step: Fork, place: Place): readonly string[] {
  const web = step.bind === undefined ? undefined : place.webs.defined(step.id, step.bind);
  const branches = step.branches.map(
    (branch) => `${memberName(branch)} => ${callText(branchFunction(step, branch, place), [], place, step.id)}`,
  );
  const members = [
    ...(step.join.kind === "all" ? [] : [`join: ${step.join.count}`]),
    ...(step.failure === "spare" ? ["spare: true"] : []),
    ...(step.width === undefined ? [] : [`width: ${step.width}`]),
    ...limitMembers(step, place),
  ];
  const call = parts([quotedName(place, step), listed("{", branches, "}", " "), ...options(members)]);
  return [`${binding(place, web)}await flow.fork(${call});`];
}

/** The type checker does not see of itself what the parameter is where every object has a member of that name. */
const memberName = ({ name }: Branch): string =>
  `${name === "__proto__" ? '["__proto__"]' : propertyText(name)}: ${isFreeName(name) ? "(flow)" : "(flow: Flow)"}`;

function branchFunction(step: Fork, { name, scope }: Branch, place: Place): Call {
  const prefix = `${step.id}/${name}/`;
  return writeFunction(
    {
      scope,
      given: [],
      prefix,
      wanted: [`${step.id} ${name}`, `${step.id} ${name} branch`],
      doc: `${step.origin.name} / ${name}`,
    },
    place.module,
  );
}

/** What is known of the values of a fork's branches. */
export function forkUse({ branches, join }: Fork): ClosedUse {
  const isOptional = join.kind === "some";
  return {
    kind: "closed",
    members: Object.fromEntries(branches.map(({ name }) => [name, { isOptional, isNullable: true }])),
  };
}

/** A scope for each element, as a function of the module. */
export function writeForEach(step: ForEach, place: Place): readonly string[] {
  const web = step.bind === undefined ? undefined : place.webs.defined(step.id, step.bind);
  const given = [step.element, ...(step.index === undefined ? [] : [step.index])];
  const { scope } = step;
  const body = writeFunction(
    {
      scope,
      given,
      prefix: `${step.id}/`,
      wanted: [step.id, `${step.id} each`],
      doc: `${step.origin.name}, for each element`,
    },
    place.module,
  );
  const inner = place.names.inner();
  const names = given.map((name) => inner.fresh(camelCase(name)));
  const { lines, written } = linesAndExpression(place, step.id, step.items, true);
  const items = itemsText(written);
  const call = `(flow, ${names.join(", ")}) => ${callText(body, names, place, step.id)}`;
  const members = [
    ...(step.width === undefined ? [] : [`width: ${step.width}`]),
    ...(step.gap === undefined ? [] : [`gap: ${writeLiteral(step.gap)!.text}`]),
    ...limitMembers(step, place),
  ];
  return [
    ...lines,
    `${binding(place, web)}await flow.forEach(${parts([quotedName(place, step), items, call, ...options(members)])});`,
  ];
}

const itemsText = (items: Written): string =>
  items.type === "array" ? items.text : `(${items.text}) as readonly Json[]`;

/** A call of a function of the module: with the values of what it reads from outside. */
function callText(
  { name, parameters, usesFunctions }: Call,
  given: readonly string[],
  place: Place,
  step: string,
): string {
  const environment = environmentAt(place, step);
  const outer = parameters.map((variable) => environment.variable(variable)?.text ?? "null");
  return `${name}(${["flow", ...(usesFunctions ? ["fn"] : []), ...given, ...outer].join(", ")})`;
}

/** Several steps that are tried as one, on the variables around them. */
export function writeAttempt(step: Attempt, body: Block, place: Place): readonly string[] {
  const bind = step.bind === undefined ? undefined : place.webs.defined(step.id, step.bind);
  const inner: Place = { ...place, isOutermost: false, isAttempt: { bind } };
  const lines = withoutLastReturn(writeBlock(body, inner));
  const restored = restoredVariables(step, place);
  const saved = restored.map(({ name }) => ({ name, before: place.names.fresh(`${name}Before`) }));
  const more = options(limitMembers(step, place));
  return [
    ...saved.map(({ name, before }) => `const ${before} = ${name};`),
    `${binding(place, bind)}await flow.attempt(${quotedName(place, step)}, async (flow) => {`,
    ...saved.map(({ name, before }) => `${name} = ${before};`),
    ...lines,
    `}${more.length === 0 ? "" : `, ${more[0]}`});`,
  ];
}

/** The variables that an attempt that is made again puts back, as the body may have changed them. */
function restoredVariables(step: Attempt, place: Place): readonly { readonly name: string }[] {
  if (step.retries.length === 0) return [];
  const inside = pointsOf(step.body);
  return step.restore.flatMap((variable) => {
    const web = place.webs.read(step.body.entry.name, variable);
    const isChanged = web !== undefined && [...web.definitions].some((id) => inside.has(id));
    return (isChanged && place.variables.get(web.id)) || [];
  });
}

const withoutLastReturn = (lines: readonly string[]): readonly string[] =>
  lines.at(-1) === "return;" ? lines.slice(0, -1) : lines;
