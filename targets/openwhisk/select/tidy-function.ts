import { reservedWords } from "../../../src/expressions/js/index.ts";
import {
  allNames,
  type Block,
  type JsExpression as Code,
  childrenOf,
  type JsNode,
  js,
  mapNodes,
  type Statement,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import type { StateFunction } from "./state-builder.ts";
import { statementsOf } from "./state-functions.ts";

/**
 * Writes constants that are read once where they are read, and takes members of the params by their names:
 *
 *   (params) => { const error = errorOf(params.error); return { error: toError(error) }; }
 *   → ({ error }) => ({ error: toError(errorOf(error)) })
 */
export function tidyFunction(body: StateFunction): StateFunction {
  if (!walkNodes(statementsOf(body)).some(isParams)) return body;
  const { lines, members } = withoutMemberConstants(body);
  return destructure(inlineConstants({ ...body, lines }), members);
}

const isParams = (node: JsNode): boolean => node.kind === "identifier" && node.name === "params";

/** The member that is read from the params. */
const memberOfParams = (node: JsNode): string | undefined =>
  node.kind === "member" && node.optional !== true && isParams(node.object) ? node.name : undefined;

/** The name and value of a constant. */
function constantIn(statement: Statement): { readonly name: string; readonly value: Code } | undefined {
  if (statement.kind !== "variable" || statement.keyword !== "const" || statement.target.kind !== "identifier")
    return undefined;
  return statement.value && { name: statement.target.name, value: statement.value };
}

/** Removes constants that have the names of the members that they read. */
function withoutMemberConstants({ lines }: StateFunction): { readonly lines: Block; readonly members: Set<string> } {
  const members = new Set<string>();
  const left = lines.filter((statement) => {
    const { name, value } = constantIn(statement) ?? {};
    if (name === undefined || memberOfParams(value!) !== name) return true;
    members.add(name);
    return false;
  });
  return { lines: left, members };
}

/**
 * Writes constants of the params where they are read, if that is one place, and other constants if the next statement is
 * that place.
 */
function inlineConstants(body: StateFunction): StateFunction {
  const uses = new Map<string, number>();
  for (const node of walkNodes(statementsOf(body)))
    if (node.kind === "identifier") uses.set(node.name, (uses.get(node.name) ?? 0) + 1);
  const values = new Map<string, Code>();
  const statements = statementsOf(body);
  const left = body.lines.filter((statement, i) => {
    const { name, value } = constantIn(statement) ?? {};
    if (name === undefined || uses.get(name) !== 2) return true;
    if (!isShort(value!) && !(isRead(value!) && isUsedOnce(statements[i + 1], name))) return true;
    values.set(name, value!);
    return false;
  });
  if (values.size === 0) return body;
  const inlined = (node: JsNode): JsNode => {
    const value = node.kind === "identifier" ? values.get(node.name) : undefined;
    return value ? inlined(value) : node;
  };
  return { ...body, lines: mapNodes(left, inlined), result: mapNodes(body.result, inlined) };
}

/** Whether an expression only reads members: it has no effect, and what it fails with is not specific. */
const isRead = (value: Code): boolean =>
  walkNodes([value]).every((node) => readKinds.has(node.kind)) && lengthOf(value) <= maxInlinedNodes;

const readKinds: ReadonlySet<string> = new Set([
  "identifier",
  "literal",
  "member",
  "element",
  "binary",
  "conditional",
  "array",
  "object",
  "property",
]);

/** Longer expressions are easier to read with a name. */
const maxInlinedNodes = 12;

const lengthOf = (value: Code): number => walkNodes([value]).length;

/** Whether a statement reads a name outside of inner functions and blocks, where it would be evaluated again. */
function isUsedOnce(statement: Statement | undefined, name: string): boolean {
  if (statement?.kind !== "expression" && statement?.kind !== "return" && statement?.kind !== "variable") return false;
  const waiting: JsNode[] = [statement];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === "identifier" && node.name === name) return true;
    if (node.kind !== "function") waiting.push(...childrenOf(node));
  }
  return false;
}

/** `params.item`, `unwrap(params)`, `errorIn(params.error, errorNames)` */
function isShort(value: Code): boolean {
  if (value.kind !== "call") return memberOfParams(value) !== undefined;
  const [first, ...others] = value.args;
  const isOfParams = first !== undefined && (isParams(first) || memberOfParams(first) !== undefined);
  return isOfParams && others.every(({ kind }) => kind === "identifier");
}

/** Takes the members of the params as parameters, if the function reads nothing else and has no such names. */
function destructure(body: StateFunction, constants: ReadonlySet<string>): StateFunction {
  const statements = statementsOf(body);
  const members = new Set(constants);
  let params = 0;
  for (const node of walkNodes(statements)) {
    if (isParams(node)) params += 1;
    const member = memberOfParams(node);
    if (member === undefined) continue;
    params -= 1;
    members.add(member);
  }
  const names = allNames(statements);
  const isFree = [...members].every((name) => isBindable(name) && (constants.has(name) || !names.has(name)));
  if (params > 0 || !isFree) return withConstants(body, constants);
  const byName = (node: JsNode): JsNode => {
    const member = memberOfParams(node);
    return member === undefined ? node : js.name(member);
  };
  const parameter = js.parameter(js.membersPattern([...members]));
  return { ...body, lines: mapNodes(body.lines, byName), result: mapNodes(body.result, byName), parameter };
}

const isBindable = (name: string): boolean => /^[a-z]\w*$/i.test(name) && !reservedWords.has(name);

const withConstants = (body: StateFunction, names: ReadonlySet<string>): StateFunction => ({
  ...body,
  lines: [...Array.from(names, (name) => js.constant(name, js.member(js.name("params"), name))), ...body.lines],
});
