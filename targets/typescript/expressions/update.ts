import {
  canFail,
  type Expression,
  factsOf,
  functionName,
  identity,
  type Update,
} from "../../../src/expressions/index.ts";
import { type Environment, withInput } from "./environment.ts";
import { writeLiteral } from "./literal.ts";
import { mayStandIn } from "./stand-in.ts";
import { write, writeOne } from "./write.ts";
import { atom, isSimple, type Written } from "./written.ts";

/** `.a.b |= E`: one member gets another value. */
export function writeUpdate({ path, value }: Update, environment: Environment): Written | undefined {
  const keys = namesIn(path);
  if (!keys || factsOf(value).outputs !== "one") return undefined;
  const target = write(identity, environment);
  const old = target && isSimple(target.text) ? writeOne(path, environment) : undefined;
  if (!target || !old || !isDoneAfter(path, old, value)) return undefined;
  const changed = writeOne(value, withInput({ ...environment, lines: undefined }, old));
  return (
    changed &&
    atom(
      `${environment.helper(functionName("setpath", 3)!)}(${target.text}, ${writeLiteral(keys)!.text}, ${changed.text})`,
    )
  );
}

/** Whether a value is made from what is there, so that it is seen first whether there can be such a member; or cannot fail. */
const isDoneAfter = (path: Expression, old: Written, value: Expression): boolean =>
  factsOf(value).usesInput ? mayStandIn(path, old, value, { kind: "input" }) : !canFail(value);

/** The names of a path that is a chain of members. */
function namesIn(path: Expression): readonly string[] | undefined {
  if (path.kind === "identity") return [];
  if (path.kind !== "access" || path.optional || path.key.kind !== "literal" || typeof path.key.value !== "string")
    return undefined;
  const names = namesIn(path.source);
  return names && [...names, path.key.value];
}
