import type { Report } from "../diagnostics.ts";
import { computesSyntax } from "../messages/scenario.ts";
import { createJq } from "./jq.ts";
import type { ScenarioFile } from "./model.ts";

/** Checks what only running can tell about a scenario file: that each `computes` is a jq program. */
export async function checkComputes({ scenarios }: ScenarioFile, report: Report): Promise<void> {
  const jq = createJq();
  for (const { functions } of scenarios) {
    for (const { does, span } of [...functions.values()].flatMap(({ list }) => list)) {
      const detail = does.kind === "computes" ? await jq.fault(does.program) : undefined;
      if (detail !== undefined) report(computesSyntax(span, { detail }));
    }
  }
  await jq.close();
}
