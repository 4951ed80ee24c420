import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/json.ts";
import type { Composition } from "../../../../targets/openwhisk/runtime/conductor/composition.ts";
import { hasRecorded, recorded } from "../../../languages/composer-fsm/recorded.ts";
import { type Component, drive } from "./drive.ts";

// Recordings of Composer's own conductor, which are not in the repository.
test.skipIf(!hasRecorded)("all recorded compositions have the recorded results, calls and states", () => {
  const cases = recorded();
  expect(cases.length).toBe(58);
  for (const { id, composition, actions, input, expected, trace, states, engineText } of cases) {
    const components = Object.fromEntries(
      Object.entries(actions).map(([name, text]) => [name, new Function(`${text}; return main`)() as Component]),
    );
    const seen = drive(composition as unknown as Composition, input as JsonObject, components);
    expect(seen.trace, id).toEqual(trace);
    expect(seen.states, id).toEqual(states);
    if (engineText) expect(Object.keys(seen.result as JsonObject), id).toEqual(["error"]);
    else expect(seen.result, id).toEqual(expected.result);
    expect("error" in (seen.result as JsonObject), id).toBe(expected.status !== "success");
  }
});
