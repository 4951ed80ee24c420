import type { Call, Expression } from "../core/ast.ts";
import { emit, emitBound } from "./emit.ts";
import { valueSink } from "./joins.ts";
import { bound, boundPlace, type Place, routeCode, routeNamed, type Sink, sinkOf } from "./place.ts";
import { type Scope, withoutPath } from "./scope.ts";
import { emitAll } from "./values.ts";
import { block, exitOf, fresh, helper, leave, notLast, type Site } from "./writer.ts";

/** `limit(n; E)`: E is left when the last output has been put out. */
export function emitLimit(count: Expression, body: Expression, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  return counting("limit", count, scope, site, (left, at) => {
    const exit = exitOf(writer, at);
    const counted = sinkOf((place, inner) =>
      boundPlace(writer, place, (kept) => {
        const less = `${left} = ${helper(writer, "lessOne")}(${left});\n`;
        return `${less}${sink.write(kept, notLast(inner))}if (!(${left} > 0)) ${leave(exit, inner)}`;
      }),
    );
    return `if (${left} !== 0) {\n${block(exit, emit(body, scope, notLast(at), counted))}}\n`;
  });
}

/** `skip(n; E)` */
export function emitSkip(count: Expression, body: Expression, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  return counting("skip", count, scope, site, (left, at) => {
    const counted = sinkOf((place, inner) =>
      boundPlace(writer, place, (kept) => {
        const less = `${left} = ${helper(writer, "lessOne")}(${left});\n`;
        return `${less}if (${left} < 0) {\n${sink.write(kept, inner)}}\n`;
      }),
    );
    return emit(body, scope, at, counted);
  });
}

function counting(
  name: string,
  count: Expression,
  scope: Scope,
  site: Site,
  use: (left: string, site: Site) => string,
): string {
  const { writer } = scope;
  return emit(
    count,
    withoutPath(scope),
    site,
    valueSink((code, at) => {
      const left = fresh(writer, "n");
      return `let ${left} = ${helper(writer, "countOf")}(${code}, "${name}");\n${use(left, at)}`;
    }),
  );
}

/** `range(from; upTo; by)`: a loop for each combination, the first varying slowest. */
export function emitRange({ args }: Call, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  const isNumber = args.map((argument) => argument.kind === "literal" && typeof argument.value === "number");
  return emitAll(args, scope, site, (codes, at) => {
    const [from, upTo, by, i] = [fresh(writer, "n"), fresh(writer, "n"), fresh(writer, "n"), fresh(writer, "i")];
    const checked = codes.map((code, k) => (isNumber[k] ? code : `${helper(writer, "rangeBound")}(${code})`));
    const start = `const ${from} = ${checked[0]}, ${upTo} = ${checked[1]}, ${by} = ${checked[2]};\n`;
    const condition =
      args[2]!.kind === "literal" && Number(args[2]!.value) > 0
        ? `${i} < ${upTo}`
        : `${by} > 0 ? ${i} < ${upTo} : ${by} < 0 && ${i} > ${upTo}`;
    return `${start}for (let ${i} = ${from}; ${condition}; ${i} += ${by}) {\n${sink.write({ value: i }, notLast(at))}}\n`;
  });
}

/** `getpath(P)` where paths are told: a value that is not at its path any more gives one that stands nowhere. */
export function emitGetPath(path: Expression, scope: Scope, site: Site, sink: Sink): string {
  const { writer, dot } = scope;
  return emitBound(path, scope, site, (keys, at) =>
    bound(writer, `${helper(writer, "getPath")}(${dot.value}, ${keys})`, (value) => {
      const route = dot.path!;
      const root = fresh(writer, "p");
      const before = routeCode(route, writer);
      const further = route.dynamic ? `${helper(writer, "extended")}(${before}, ${keys})` : `${before}.concat(${keys})`;
      if (dot.at === undefined || dot.at === dot.value)
        return `const ${root} = ${further};\n${sink.write({ value, path: routeNamed(root, route) }, at)}`;
      const [same, place] = [fresh(writer, "b"), fresh(writer, "w")];
      const isSame = `${helper(writer, "isSame")}(${dot.value}, ${dot.at}, ${dot.copied ?? true})`;
      const lines = `const ${same} = ${isSame};\nconst ${root} = ${same} ? ${further} : ${before};\nconst ${place} = ${same} ? ${value} : ${dot.at};\n`;
      const found: Place = { value, path: routeNamed(root, route), at: place, copied: true };
      return `${lines}${sink.write(found, at)}`;
    }),
  );
}
