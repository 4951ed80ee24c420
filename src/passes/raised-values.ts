import { type Expression, literal, type ObjectConstruction, simplify, substitute } from "../expressions/index.ts";
import { standardErrorsOf } from "../ir/problems.ts";

/** What an error becomes where a step with a pointer raises it; `computed` is the expression of its value. */
export const raisedValue = (
  error: Expression,
  pointer: string,
  raisedError: Expression,
  computed = error,
): Expression =>
  standardErrorsOf(raisedError) !== undefined && hasProblem(computed)
    ? error
    : simplify(
        substitute(
          raisedError,
          new Map([
            ["error", error],
            ["pointer", literal(pointer)],
          ]),
        ),
      );

/** Whether an error's value has problem details, which stay. */
const hasProblem = (error: Expression): boolean => {
  const data = error.kind === "object" ? constructed(error, "data") : undefined;
  return data?.kind === "object" && constructed(data, "instance") !== undefined;
};

const constructed = ({ entries }: ObjectConstruction, name: string): Expression | undefined =>
  entries.find(({ key }) => key.kind === "literal" && key.value === name)?.value;
