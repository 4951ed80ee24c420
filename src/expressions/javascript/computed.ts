import type { ArrayConstruction, Call, Expression, Logic } from "../core/ast.ts";
import { copying } from "../evaluate/paths.ts";
import { mathematics } from "../library/mathematics.ts";
import { truthCode } from "./code.ts";
import { emit } from "./emit.ts";
import { shared } from "./joins.ts";
import { bound, boundPlace, computedAt, type Place, type Sink, sinkOf, smallSink } from "./place.ts";
import { refuse } from "./refusal.ts";
import { type Scope, withDot, withoutPath } from "./scope.ts";
import { fresh, notLast, type Site } from "./writer.ts";

/** Whether an expression leads to places where its parts do; others compute values, which stand nowhere. */
export function tellsPaths(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
    case "variable":
    case "array":
    case "object":
    case "binary":
    case "interpolation":
    case "query":
    case "logic":
    case "path":
    case "update":
      return false;
    case "call":
      return ["first/1", "limit/2", "skip/2", "getpath/2", "error/1"].includes(signatureOf(expression));
    default:
      return true;
  }
}

const signatureOf = ({ name, args }: Call): string => `${name}/${args.length}`;

/** A value computed where paths are told. jq tells paths inside of arrays and conditions too, and fails there where a place is wanted. */
export function emitComputed(expression: Expression, scope: Scope, site: Site, sink: Sink): string {
  if (expression.kind === "array") return emitTrackedArray(expression, scope, site, sink);
  if (expression.kind === "logic") return emitTrackedLogic(expression, scope, site, sink);
  const reason = unknownPath(expression, scope.dot);
  if (reason !== undefined) refuse(expression, reason);
  const copied = expression.kind === "variable" || (expression.kind === "call" && isCopying(expression));
  const write: Sink = sinkOf(({ value }, at) =>
    bound(scope.writer, value, (atom) => sink.write(computedAt(scope.dot, atom, copied), at)),
  );
  return emit(expression, withoutPath(scope), site, write);
}

/** Whether a function gives its input itself where there is nothing to do, as `@text` does. */
const isCopying = ({ name, args: [, format] }: Call): boolean =>
  copying.has(name) || (name === "format" && format?.kind === "literal" && format.value === "text");

/** Why it cannot be said how jq fails, or that it does not, where an expression is used as a path. */
function unknownPath(expression: Expression, dot: Place): string | undefined {
  if (expression.kind === "update") return "An assignment inside of a path is not supported.";
  if (expression.kind === "query") return "A JSONPath inside of a path of jq is not supported.";
  if (expression.kind === "binary" && expression.operator === "+")
    return "An addition inside of a path is not supported.";
  if (expression.kind !== "call" || isSimple(expression) || (expression.name === "reverse" && dot.at === undefined))
    return undefined;
  return `The function \`${expression.name}\` inside of a path is not supported.`;
}

/** What such a function has as an argument may be how the core says another one of jq. */
const isSimple = (expression: Call): boolean =>
  (simple.has(expression.name) || signatureOf(expression) in mathematics) &&
  expression.args.every((argument) => argument.kind !== "call" || isSimple(argument));

/** Functions that jq has not defined in its own language: they do not care whether their input stands at a place. */
const simple: ReadonlySet<string> = new Set(
  `type length not tostring tojson fromjson tonumber toboolean keys keys_unsorted has contains startswith endswith trim ltrim rtrim
   explode implode split sort min max format setpath delpaths range infinite nan utf8bytelength _negate`.split(/\s+/),
);

function emitTrackedArray({ items }: ArrayConstruction, scope: Scope, site: Site, sink: Sink): string {
  const list = fresh(scope.writer, "r");
  const add = smallSink((value) => `${list}.push(${value});\n`);
  const text = items ? emit(items, scope, notLast(site), add) : "";
  return `const ${list} = [];\n${text}${sink.write(computedAt(scope.dot, list, false), site)}`;
}

/** The right side sees the path that the left side led to. */
function emitTrackedLogic({ operator, left, right }: Logic, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  return shared(scope, site, sink, (to) => {
    const first = sinkOf((place, at) =>
      boundPlace(writer, place, (kept) => {
        const decided = to.write(computedAt(kept, String(operator === "or"), false), at);
        const second = sinkOf((other, inner) =>
          boundPlace(writer, other, (last) =>
            bound(writer, truthCode(right, last.value, writer), (value) =>
              to.write(computedAt(last, value, false), inner),
            ),
          ),
        );
        const rest = emit(right, withDot(scope, computedAt(kept, scope.dot.value, true)), at, second);
        const condition = truthCode(left, kept.value, writer);
        return `if (${condition}) {\n${operator === "and" ? rest : decided}} else {\n${operator === "and" ? decided : rest}}\n`;
      }),
    );
    return emit(left, scope, site, first);
  });
}
