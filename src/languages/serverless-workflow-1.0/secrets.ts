import { type Expression, freeVariables, literal, variable } from "../../expressions/index.ts";
import type { SecretRead } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { bindVariable } from "../shared/jq.ts";
import { type Row, taskRow } from "./arguments.ts";
import { builtInFunction } from "./built-in.ts";
import type { Context, Writer } from "./context.ts";
import { wholeSecrets } from "./diagnostics/data.ts";
import { unknownComponent } from "./diagnostics/references.ts";

/** The secrets that the argument of a call reads. */
export interface SecretReads {
  readonly reads: SecretRead[];
  /** The value of a key of a secret. */
  read(name: string, key: string): Expression;
  /** What the argument sees: the row of a task, with `$secrets`. */
  readonly row: Row;
  /** Replaces the reads in an expression of such a row. */
  resolve(expression: Expression): Expression;
}

const marker = "$secret ";

/** Whether a variable of a row holds a secret. */
export const isSecretName = (name: string): boolean => name.startsWith(marker);

/** The secret and key that an expression of such a row is: `$secrets.NAME.KEY`, or `$secrets.NAME` for the key `value`. */
export function secretOf(value: Expression): { readonly id: string; readonly key: string } | undefined {
  if (value.kind === "variable" && isSecretName(value.name))
    return { id: value.name.slice(marker.length), key: "value" };
  if (value.kind !== "access" || value.key.kind !== "literal" || typeof value.key.value !== "string") return undefined;
  const { source, key } = value;
  return source.kind === "variable" && isSecretName(source.name)
    ? { id: source.name.slice(marker.length), key: key.value as string }
    : undefined;
}

/** Reports a secret that the definition does not list. */
export function checkSecret({ definition, report }: Context, name: string, span: Span): void {
  const known = definition.use?.secrets ?? [];
  if (!known.includes(name)) report(unknownComponent(span, { noun: "secret", name, known, under: "use.secrets" }));
}

/** Collects the reads of secrets in the argument of a task's call. */
export function secretReads(writer: Writer, span: Span): SecretReads {
  const { context } = writer;
  const row = taskRow(writer);
  const reads: SecretRead[] = [];
  const read = (name: string, key: string): Expression => {
    checkSecret(context, name, span);
    const found = reads.find(({ id, key: other }) => id === name && other === key);
    if (found) return variable(found.bind);
    const bound = `secret${reads.length === 0 ? "" : reads.length + 1}`;
    reads.push({ bind: bound, reader: { name: builtInFunction(context, "secret", span), span }, id: name, key, span });
    return variable(bound);
  };
  return {
    reads,
    read,
    row: {
      ...row,
      variables: new Map([
        ...row.variables,
        [
          "secrets",
          () => ({
            value: literal(null),
            member: (_: Expression, name: string) => variable(marker + name),
            whole() {
              context.report(wholeSecrets(span, {}));
              return literal(null);
            },
          }),
        ],
      ]),
    },
    resolve(expression) {
      let resolved = expression;
      for (const name of freeVariables(expression)) {
        if (!name.startsWith(marker)) continue;
        const secret = name.slice(marker.length);
        resolved = bindVariable(resolved, name, {
          value: literal(null),
          member: (_, key) => read(secret, key),
          whole: () => variable(`${name} value`),
        });
        if (freeVariables(resolved).has(`${name} value`))
          resolved = bindVariable(resolved, `${name} value`, { value: read(secret, "value") });
      }
      return resolved;
    },
  };
}
