import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { positionOf } from "../../../src/text/source.ts";
import { languages } from "../../languages.ts";
import { bare, lower } from "./lowering.ts";

const folder = new URL("../../../../shared/examples/serverless-workflow/", import.meta.url);

/** The diagnostics of each example: line and code. */
const expected: { readonly [file: string]: string } = {
  "applicant-request-decision-example.json": "44 WB2004",
  "applicant-request-decision-example.yaml": "28 WB2004",
  "event-based-greeting-example.json": "29 WB2102, 43 WB4103",
  "event-based-greeting-example.yaml": "21 WB2102, 28 WB4103",
  "event-based-transitions-example.json": "27 WB2115, 33 WB2115, 47 WB2004, 55 WB2004, 63 WB2004",
  "event-based-transitions-example.yaml":
    "14 WB2101, 16 WB2101, 18 WB2115, 21 WB2115, 28 WB2101, 29 WB2004, 31 WB2101, 33 WB2101, 34 WB2004, 36 WB2101, 38 WB2101, 39 WB2004, 41 WB2101",
  "finalize-college-application-example.json": "10 WB2114, 16 WB2114, 22 WB2114",
  "finalize-college-application-example.yaml": "8 WB2114, 12 WB2114, 16 WB2114",
  "greeting-example.json": "34 WB4103",
  "greeting-example.yaml": "22 WB4103",
  "handle-car-auction-bids-example.json": "",
  "handle-car-auction-bids-example.yaml": "",
  "hello-world-example.json": "",
  "hello-world-example.yaml": "",
  "monitor-job-example.json": "60 WB4103, 69 WB2004, 91 WB4104, 100 WB4103, 111 WB4104, 119 WB4104",
  "monitor-job-example.yaml": "36 WB4103, 41 WB2004, 56 WB4104, 60 WB4103, 66 WB4104, 71 WB4104",
  "monitor-patient-vital-signs-example.json": "10 WB2114, 16 WB2114, 22 WB2114",
  "monitor-patient-vital-signs-example.yaml": "8 WB2114, 12 WB2114, 16 WB2114",
  "parallel-execution-example.json": "",
  "parallel-execution-example.yaml": "12 WB0005",
  "perform-customer-credit-check-example.json": "22 WB2114, 41 WB3108, 74 WB2004",
  "perform-customer-credit-check-example.yaml": "15 WB2114, 27 WB3108, 47 WB2004",
  "provision-orders-example.json": "60 WB4103, 69 WB2004, 77 WB2004, 85 WB2004, 93 WB2004",
  "provision-orders-example.yaml": "36 WB4103, 41 WB2004, 46 WB2004, 51 WB2004, 56 WB2004",
  "readme--event-state-timeout.json": "2 WB2103, 2 WB2103, 2 WB2103, 4 WB2108, 11 WB2003, 12 WB2003, 13 WB2003",
  "readme--foreach-state.json": "2 WB2103, 2 WB2103, 2 WB2103, 10 WB2108",
  "readme--foreach-state.yaml": "1 WB2103, 1 WB2103, 1 WB2103, 5 WB2108",
  "readme--parallel-state-handling-exceptions-2.json": "",
  "readme--parallel-state-handling-exceptions.json": "",
  "readme--restricting-transitions-based-on-state-output.json": "2 WB2103, 2 WB2103, 2 WB2103, 19 WB2101, 41 WB2101",
  "readme--restricting-transitions-based-on-state-output.yaml": "1 WB2103, 1 WB2103, 1 WB2103, 11 WB2101, 24 WB2101",
  "readme--state-information-filtering-using-multiple-filters.json":
    "2 WB2103, 2 WB2103, 22 WB2102, 41 WB4103, 42 WB4103",
  "send-cloudevent-on-workfow-completion-example.json": "30 WB4115, 52 WB4103, 58 WB4109",
  "send-cloudevent-on-workfow-completion-example.yaml": "20 WB4115, 33 WB4103, 38 WB4109",
  "solving-math-problems-example.json": "24 WB4115, 46 WB4103",
  "solving-math-problems-example.yaml": "17 WB4115, 30 WB4103",
};

describe.skipIf(!existsSync(folder))(
  "the examples of the draft (skipped where they are not beside the repository)",
  () => {
    test("are complete", () => {
      expect(readdirSync(folder).sort()).toEqual(Object.keys(expected).sort());
    });

    test.each(Object.entries(expected))("%s", (file, findings) => {
      const source = { path: file, text: readFileSync(new URL(file, folder), "utf8") };
      const { diagnostics } = check({ sources: [source], options: {} }, languages);
      expect(diagnostics.map(({ code, span }) => `${positionOf(source, span.start).line} ${code}`).join(", ")).toBe(
        findings,
      );
    });

    const pairs = Object.keys(expected).filter(
      (file) => file.endsWith(".json") && Object.hasOwn(expected, file.replace(".json", ".yaml")),
    );
    /** Invalid YAML, so without IR. */
    const broken = "parallel-execution-example.json";
    test.each(pairs.filter((file) => file !== broken))("%s means the same in YAML", (file) => {
      const [json, yaml] = [file, file.replace(".json", ".yaml")].map((path) =>
        lower(readFileSync(new URL(path, folder), "utf8"), { path }),
      );
      expect(json?.workflow?.kind).toBe("workflow");
      expect(bare(yaml?.workflow)).toBe(bare(json?.workflow));
    });
  },
);
