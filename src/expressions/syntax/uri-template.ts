import type { Expression } from "../core/ast.ts";
import {
  binary,
  bind,
  call,
  concatenate,
  conditional,
  firstOr,
  literal,
  member,
  object,
  or,
  variable,
} from "../core/build.ts";

/** The names of a template's expressions, or the first part that is not a simple expression. */
export function uriTemplateNames(template: string): readonly string[] | { readonly invalid: string } {
  const names: string[] = [];
  for (const part of partsOf(template)) {
    if (!part.startsWith("{") && !part.includes("}")) continue;
    const name = nameIn(part);
    if (name === undefined) return { invalid: part };
    names.push(name);
  }
  return names;
}

/**
 * Simple expansion of a URI template (RFC 6570): `{name}` is the percent-encoded text of a member of the value, and
 * empty if that is missing or null; an object or an array is a `DataError`. Other parts stay as they are.
 */
export function expandUri(template: string, value: Expression): Expression {
  const parts = partsOf(template).map((part) => {
    const name = nameIn(part);
    return name === undefined ? literal(part) : expanded(name);
  });
  const names = uriTemplateNames(template);
  const uri = concatenate(parts);
  return Array.isArray(names) && names.length === 0 ? uri : bind("values", value, uri);
}

const partsOf = (template: string): readonly string[] => template.match(/\{[^{}]*\}|\{|[^{]+/g) ?? [];

const nameIn = (part: string): string | undefined => /^\{([A-Za-z0-9_.%]+)\}$/.exec(part)?.[1];

function expanded(name: string): Expression {
  const part = variable("part");
  const isOf = (type: string): Expression => binary("==", call("type", part), literal(type));
  const failure = call(
    "error",
    object([
      ["name", literal("DataError")],
      ["message", literal(`The URI needs a text or a number for {${name}}.`)],
    ]),
  );
  return bind(
    "part",
    firstOr(member(variable("values"), name), literal(null)),
    conditional(
      binary("==", part, literal(null)),
      literal(""),
      conditional(or(isOf("object"), isOf("array")), failure, call("format", part, literal("uri"))),
    ),
  );
}
