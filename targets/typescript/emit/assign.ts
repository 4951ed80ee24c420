import { canFail, type Expression, freeVariables, type Reduce } from "../../../src/expressions/index.ts";
import type { Web } from "../../../src/flow/index.ts";
import type { Assign } from "../../../src/ir/workflow.ts";
import { withInput, withVariable } from "../expressions/environment.ts";
import { writeNodes } from "../expressions/query.ts";
import { writeOne } from "../expressions/write.ts";
import { atom, inside, level, type Written } from "../expressions/written.ts";
import { binding } from "./acts.ts";
import { camelCase } from "./names.ts";
import { environmentAt, expressionAt, linesAndExpression, type Place, type Variable } from "./place.ts";

/** Variables get new values, all computed from the old ones. */
export function writeAssign(step: Assign, place: Place): readonly string[] {
  const pending = new Set(step.values.map(({ variable, value }): Target => targetOf(step, variable, value, place)));
  const lines: string[] = [];
  for (const target of inOrder(pending)) lines.push(...writeOneAssignment(step, target, place));
  if (pending.size === 0) return lines;
  const names = place.names.inner();
  const rest = [...pending].map((target) => ({ ...target, name: names.fresh(target.variable?.name ?? "value") }));
  const values = rest.map(
    ({ name, value, variable }) => `const ${name} = ${fitted(expressionAt(place, step.id, value), variable)};`,
  );
  return scoped(
    [...lines, ...values],
    rest.map(({ name, web, variable }) => (variable ? `${binding(place, web)}${name};` : `${name};`)),
  );
}

/** A variable that gets a value, with the webs that the value is made of. */
interface Target {
  readonly web: Web | undefined;
  readonly variable: Variable | undefined;
  readonly value: Expression;
  readonly reads: ReadonlySet<Web>;
}

function targetOf(step: Assign, name: string, value: Expression, place: Place): Target {
  const web = place.webs.defined(step.id, name);
  const reads = new Set([...freeVariables(value)].flatMap((read) => place.webs.read(step.id, read) ?? []));
  return { web, variable: web && place.variables.get(web.id), value, reads };
}

/** Takes out those that can be assigned one after the other: whose old value none of the others needs any more. */
function* inOrder(pending: Set<Target>): Generator<Target> {
  for (let found = true; found; ) {
    found = false;
    for (const target of [...pending]) {
      if ([...pending].some((other) => other !== target && target.web && other.reads.has(target.web))) continue;
      pending.delete(target);
      found = true;
      yield target;
    }
  }
}

function writeOneAssignment(step: Assign, { value, web, variable }: Target, place: Place): readonly string[] {
  if (variable && value.kind === "reduce" && web && !place.constants.has(web.id)) {
    const loop = writeReduce(step, value, variable, place);
    if (loop) return loop;
  }
  if (!variable && !canFail(value)) return [];
  const { lines, written } = linesAndExpression(place, step.id, value, false);
  const isConstant = web !== undefined && place.constants.has(web.id);
  const line = variable ? `${binding(place, web)}${fitted(written, variable)};` : `${written.text};`;
  return isConstant ? [...lines, line] : scoped(lines, [line]);
}

/** Lines with constants that nothing else sees. */
export const scoped = (constants: readonly string[], lines: readonly string[]): readonly string[] =>
  constants.length === 0 ? lines : ["{", ...constants, ...lines, "}"];

/** A value for a variable: what is not of its type by itself is taken to be. */
export function fitted(written: Written, variable: Variable | undefined): string {
  if (!variable || variable.type === "Json" || written.use === variable.use) return inside(written, level.choice);
  return `${inside(written, level.order)} as ${variable.type}`;
}

/** `x := reduce SOURCE as $each ($x; E)`: a loop over the source in which x is what E gives. */
function writeReduce(
  step: Assign,
  { source, name, initial, update }: Reduce,
  variable: Variable,
  place: Place,
): readonly string[] | undefined {
  const environment = environmentAt(place, step.id);
  if (
    source.kind !== "query" ||
    initial.kind !== "variable" ||
    environment.variable(initial.name)?.text !== variable.name
  )
    return undefined;
  const nodes = writeNodes(source, environment);
  if (!nodes) return undefined;
  const declared = nodes.elementUse;
  const item = place.names.inner().fresh(camelCase(name));
  const each = atom(item, { use: declared ?? nodes.element, isPresent: declared !== undefined });
  const soFar = atom(variable.name, { use: variable.use });
  const body = writeOne(update, withInput(withVariable(environment, name, each), soFar));
  return body && [`for (const ${item} of ${nodes.text}) {`, `${variable.name} = ${fitted(body, variable)};`, "}"];
}
