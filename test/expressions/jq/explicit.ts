import type { Jq, ObjectEntry, Pattern } from "../../../src/expressions/syntax/jq/syntax.ts";
import { assertNever, printJson } from "../../../src/json.ts";
import { printJq } from "./print.ts";

/** Prints a tree with parentheses around every query, independently of precedence. */
export const explicit = (query: Jq): string => `(${inside(query)})`;

function inside(query: Jq): string {
  switch (query.kind) {
    case "string":
      return printJson(query.value);
    case "interpolation":
      return interpolation(query.format, query.parts);
    case "array":
      return query.items ? `[${explicit(query.items)}]` : "[]";
    case "object":
      return `{${query.entries.map(entry).join(",")}}`;
    case "call":
      return query.args.length > 0 ? `${query.name}(${query.args.map(explicit).join(";")})` : query.name;
    case "index":
    case "slice":
    case "iteration":
      return `${explicit(query.target)}[${access(query)}]${query.optional ? "?" : ""}`;
    case "identity":
    case "recursion":
    case "number":
    case "constant":
    case "format":
    case "variable":
    case "location":
    case "break":
      return printJq(query);
    default:
      return operation(query);
  }
}

type Leaf =
  | "identity"
  | "recursion"
  | "number"
  | "string"
  | "interpolation"
  | "constant"
  | "format"
  | "variable"
  | "location"
  | "break";
type SelfDelimiting = Leaf | "array" | "object" | "call" | "index" | "slice" | "iteration";

function operation(query: Exclude<Jq, { readonly kind: SelfDelimiting }>): string {
  switch (query.kind) {
    case "negation":
      return `-${explicit(query.operand)}`;
    case "binary":
    case "logic":
    case "assignment":
      return `${explicit(query.left)}${query.operator === "and" || query.operator === "or" ? ` ${query.operator} ` : query.operator}${explicit(query.right)}`;
    case "alternative":
      return `${explicit(query.left)}//${explicit(query.right)}`;
    case "pipe":
      return `${explicit(query.left)}|${explicit(query.right)}`;
    case "comma":
      return query.items.map(explicit).reduce((left, right) => `(${left},${right})`);
    case "try":
      return query.handler
        ? `try ${explicit(query.body)} catch ${explicit(query.handler)}`
        : `try ${explicit(query.body)}`;
    case "if":
      return `${query.branches.map(({ condition, result }) => `if ${explicit(condition)} then ${explicit(result)}`).join(" el")}${
        query.otherwise ? ` else ${explicit(query.otherwise)}` : ""
      } end`;
    default:
      return binding(query);
  }
}

function binding(
  query: Extract<Jq, { readonly kind: "reduce" | "foreach" | "binding" | "definition" | "label" }>,
): string {
  switch (query.kind) {
    case "reduce":
      return `reduce ${explicit(query.source)} as ${patterns(query.patterns)}(${explicit(query.initial)};${explicit(query.update)})`;
    case "foreach": {
      const extract = query.extract ? `;${explicit(query.extract)}` : "";
      return `foreach ${explicit(query.source)} as ${patterns(query.patterns)}(${explicit(query.initial)};${explicit(query.update)}${extract})`;
    }
    case "binding":
      return `${explicit(query.source)} as ${patterns(query.patterns)}|${explicit(query.body)}`;
    case "definition": {
      const parameters = query.parameters.map(({ name, byValue }) => (byValue ? `$${name}` : name)).join(";");
      return `def ${query.name}${parameters === "" ? "" : `(${parameters})`}:${explicit(query.body)};${explicit(query.rest)}`;
    }
    case "label":
      return `label $${query.name}|${explicit(query.body)}`;
    default:
      return assertNever(query);
  }
}

function access(query: Extract<Jq, { readonly kind: "index" | "slice" | "iteration" }>): string {
  if (query.kind === "iteration") return "";
  if (query.kind === "index") return explicit(query.key);
  return `${query.from ? explicit(query.from) : ""}:${query.upTo ? explicit(query.upTo) : ""}`;
}

const interpolation = (format: string | undefined, parts: readonly (string | Jq)[]): string => {
  const texts = parts.map((part) => (typeof part === "string" ? printJson(part).slice(1, -1) : `\\${explicit(part)}`));
  return `${format === undefined ? "" : `@${format}`}"${texts.join("")}"`;
};

function entry({ key, value }: ObjectEntry): string {
  if (value) return `${explicit(key)}:${explicit(value)}`;
  return key.kind === "string" && /^[A-Za-z_]\w*$/.test(key.value) ? key.value : inside(key);
}

const patterns = (all: readonly Pattern[]): string => all.map(pattern).join("?//");

function pattern(one: Pattern): string {
  if (one.kind === "variable") return `$${one.name}`;
  if (one.kind === "array") return `[${one.items.map(pattern).join(",")}]`;
  const entries = one.entries.map(({ key, variable, pattern: inner }) => {
    const name = variable === undefined ? explicit(key) : `$${variable}`;
    return inner ? `${name}:${pattern(inner)}` : name;
  });
  return `{${entries.join(",")}}`;
}
