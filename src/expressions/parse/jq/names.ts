import { clip } from "../../../text/clip.ts";
import { didYouMean, nearest } from "../../../text/suggest.ts";
import { builtins, internals, refused, type Signature, unlisted } from "./builtins.ts";
import type { Pattern } from "./pattern-syntax.ts";
import type { Break, Call, Definition, Jq, Label, Variable } from "./syntax.ts";
import { childrenOf, keysOf, variablesOf } from "./walk.ts";

/** What is wrong with a name: nothing is called so, or Waybill does not have what jq has under that name. Offsets as in `Fault`. */
export interface NameFault {
  readonly fault: "unknown" | "unsupported";
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * Looks up every function, variable and label: all that is wrong, in the order of the text. `globals` are the variables given from outside, without
 * `$`. As in jq, what is in a definition that nothing calls does not count. Linear; for trees as `parseJq` gives them, since it is recursive.
 */
export function checkNames(query: Jq, globals: readonly string[] = []): readonly NameFault[] {
  const program: Code = { faults: [], calls: [] };
  const scope: Scope = { functions: new Map(), variables: new Map(), labels: new Map(), hints: hintLimit };
  for (const name of globals) bind(scope.variables, name, true);
  visit(query, scope, program);
  const reached = new Set([program]);
  for (const code of reached) for (const callee of code.calls) reached.add(callee);
  return [...reached].flatMap(({ faults }) => faults).sort((a, b) => a.from - b.from);
}

/** The program, or the body of a definition: what is wrong in it, and the definitions that it calls. */
interface Code {
  readonly faults: NameFault[];
  readonly calls: Code[];
}

/** What is defined at a place: by name, what it means there as the last entry, and what it means further out before that. */
interface Scope {
  readonly functions: Map<Signature, (Code | "parameter")[]>;
  readonly variables: Map<string, true[]>;
  readonly labels: Map<string, true[]>;
  /** How many more suggestions to look for. */
  hints: number;
}

/** A text full of unknown names gets suggestions only for the first ones. */
const hintLimit = 50;

function bind<K, T>(names: Map<K, T[]>, name: K, meaning: T): void {
  const meanings = names.get(name);
  if (meanings) meanings.push(meaning);
  else names.set(name, [meaning]);
}

function release<K, T>(names: Map<K, T[]>, name: K): void {
  const meanings = names.get(name);
  if (meanings?.length === 1) names.delete(name);
  else meanings?.pop();
}

function visit(query: Jq, scope: Scope, code: Code): void {
  switch (query.kind) {
    case "definition":
      visitDefinition(query, scope, code);
      break;
    case "label":
      visitLabel(query, scope, code);
      break;
    case "binding":
      visitPatterns(query.source, query.patterns, [query.body], scope, code);
      break;
    case "reduce":
      visit(query.initial, scope, code);
      visitPatterns(query.source, query.patterns, [query.update], scope, code);
      break;
    case "foreach":
      visit(query.initial, scope, code);
      visitPatterns(
        query.source,
        query.patterns,
        query.extract ? [query.update, query.extract] : [query.update],
        scope,
        code,
      );
      break;
    default:
      checkName(query, scope, code);
      for (const child of childrenOf(query)) visit(child, scope, code);
  }
}

function checkName(query: Jq, scope: Scope, code: Code): void {
  if (query.kind === "variable") checkVariable(query, scope, code);
  else if (query.kind === "break") checkBreak(query, scope, code);
  else if (query.kind === "call") checkCall(query, scope, code);
}

function visitLabel({ name, body }: Label, scope: Scope, code: Code): void {
  bind(scope.labels, name, true);
  visit(body, scope, code);
  release(scope.labels, name);
}

function visitPatterns(
  source: Jq,
  patterns: readonly Pattern[],
  bodies: readonly Jq[],
  scope: Scope,
  code: Code,
): void {
  visit(source, scope, code);
  for (const key of patterns.flatMap(keysOf)) visit(key, scope, code);
  const variables = variablesOf(patterns);
  for (const name of variables) bind(scope.variables, name, true);
  for (const body of bodies) visit(body, scope, code);
  for (const name of variables) release(scope.variables, name);
}

function visitDefinition({ name, parameters, body, rest }: Definition, scope: Scope, code: Code): void {
  const own: Code = { faults: [], calls: [] };
  const signature: Signature = `${name}/${parameters.length}`;
  bind(scope.functions, signature, own);
  for (const parameter of parameters) {
    bind(scope.functions, `${parameter.name}/0`, "parameter");
    if (parameter.byValue) bind(scope.variables, parameter.name, true);
  }
  visit(body, scope, own);
  for (const parameter of parameters) {
    release(scope.functions, `${parameter.name}/0`);
    if (parameter.byValue) release(scope.variables, parameter.name);
  }
  visit(rest, scope, code);
  release(scope.functions, signature);
}

function checkCall({ name, args, start }: Call, scope: Scope, code: Code): void {
  const signature: Signature = `${name}/${args.length}`;
  const meaning = scope.functions.get(signature)?.at(-1);
  if (meaning !== undefined && meaning !== "parameter") code.calls.push(meaning);
  if (meaning !== undefined || builtins.has(signature) || unlisted.has(signature)) return;
  const place = { from: start, to: start + name.length };
  const refusal = refused.get(signature);
  if (refusal)
    code.faults.push({ fault: "unsupported", ...place, message: `\`${name}\` ${refusal.why}.`, hint: refusal.hint });
  else if (internals.has(signature))
    code.faults.push({ fault: "unsupported", ...place, message: `\`${name}\` is internal to jq.` });
  else code.faults.push({ fault: "unknown", ...place, ...unknownFunction(name, args.length, scope) });
}

function unknownFunction(name: string, count: number, scope: Scope): Pick<NameFault, "message" | "hint"> {
  const message = `There is no function \`${clip(name)}\`.`;
  if (name.includes("::")) return { message, hint: "Modules of jq are not read." };
  if (scope.hints-- <= 0) return { message };
  const known = [...scope.functions.keys(), ...builtins];
  const counts = known
    .filter((signature) => signature.startsWith(`${name}/`))
    .map((signature) => Number(signature.slice(name.length + 1)));
  if (counts.length === 0) return { message, hint: suggestion(name, count, known) };
  const sorted = [...new Set(counts)].sort((a, b) => a - b);
  return {
    message: `\`${clip(name)}\` takes ${numbers(sorted)}, not ${count === 0 ? "none" : count}.`,
    hint: count === 1 ? hintForOne(clip(name), sorted) : undefined,
  };
}

/** A plain word is often a member whose dot is missing: only what can be called so is near enough to it. */
function suggestion(name: string, count: number, known: readonly Signature[]): string | undefined {
  const candidates = count === 0 ? known.filter((signature) => signature.endsWith("/0")) : known;
  const near = didYouMean(name, new Set(candidates.map((signature) => signature.slice(0, signature.indexOf("/")))));
  return near ?? (count === 0 ? `Write \`.${clip(name)}\` for the member of that name.` : undefined);
}

const numbers = (counts: readonly number[]): string => {
  const words = counts.map((count) => (count === 0 ? "no" : String(count)));
  const list = words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words.join();
  return `${list} ${counts.at(-1) === 1 ? "argument" : "arguments"}`;
};

/** What to do about a single argument where another number of them is wanted. */
function hintForOne(name: string, counts: readonly number[]): string | undefined {
  if (counts.at(-1) === 0) return `It works on its input: \`… | ${name}\`.`;
  return counts.some((count) => count > 1) ? `Arguments are separated by \`;\`: \`${name}(…; …)\`.` : undefined;
}

function checkVariable({ name, start, end }: Variable, scope: Scope, code: Code): void {
  if (scope.variables.has(name)) return;
  if (name === "ENV") {
    const message = "`$ENV` is the environment of the jq command, and a workflow has none.";
    code.faults.push({ fault: "unsupported", from: start, to: end, message });
    return;
  }
  const hint = name.includes("::") ? "Modules of jq are not read." : nearestOf(name, scope.variables, scope);
  code.faults.push({
    fault: "unknown",
    from: start,
    to: end,
    message: `There is no variable \`$${clip(name)}\` here.`,
    hint,
  });
}

function checkBreak({ name, start, end }: Break, scope: Scope, code: Code): void {
  if (scope.labels.has(name)) return;
  const shown = `$${clip(name)}`;
  const confused = scope.variables.has(name)
    ? `\`${shown}\` is a variable; a label is written \`label ${shown} | …\`.`
    : undefined;
  const hint = nearestOf(name, scope.labels, scope) ?? confused;
  code.faults.push({
    fault: "unknown",
    from: start,
    to: end,
    message: `There is no label \`${shown}\` around this.`,
    hint,
  });
}

/** The suggestion of a variable or label. */
function nearestOf(name: string, known: ReadonlyMap<string, unknown>, scope: Scope): string | undefined {
  const near = scope.hints-- > 0 ? nearest(name, known.keys()) : undefined;
  return near === undefined ? undefined : `Did you mean \`$${near}\`?`;
}
