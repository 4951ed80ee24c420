import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { compileWith } from "../../src/compile.ts";
import { renderText } from "../../src/diagnostics/renderers/text.ts";
import type { Options } from "../../src/options.ts";
import type { Source } from "../../src/text/source.ts";
import { targets } from "../../targets/index.ts";
import { languages } from "../languages.ts";
import { mutant, randomFrom } from "./mutants.ts";

// Mutated definitions: the compiler always returns files or diagnostics, and quickly.

const seed = Number(process.env["WAYBILL_SEED"] ?? 20_200_601);
const mutants = Number(process.env["WAYBILL_MUTANTS"] ?? 2500);

/** The golden definitions of a language, as source and as data. */
function definitionsOf(language: string) {
  const golden = join(import.meta.dirname, "../../golden", language);
  const definitions = readdirSync(golden, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?:^|[\\/])workflow\.(?:ya?ml|json)$/.test(path))
    .sort()
    .map((path): Source => ({ path, text: readFileSync(join(golden, path), "utf8") }));
  return definitions.map(({ path, text }) => ({ path, text, data: parseAllDocuments(text)[0]?.toJS() }));
}

const optionsOf: { readonly [language: string]: (random: () => number) => Options } = {
  "serverless-workflow": (random) => ({ timeout: random() < 0.5 ? "fail" : "proceed", interpolate: random() < 0.5 }),
  "function-workflow": () => ({}),
  sm4c: (random) => ({ waitForCompletion: random() < 0.5 }),
  yawl: (random) => ({ resultMode: random() < 0.5 ? "state" : "last-output" }),
};

/** The fastest of several runs, because the machine may be busy. */
async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && best > 1; run++) {
    const started = performance.now();
    await act();
    best = Math.min(best, (performance.now() - started) / 1000);
  }
  return best;
}

const languagesOfGoldens = Object.keys(optionsOf);
test.each(languagesOfGoldens)(
  "mutants of %s give files or diagnostics, each in less than a second",
  { timeout: 600_000 },
  async (language) => {
    const known = definitionsOf(language);
    const random = randomFrom(seed);
    let compiled = 0;
    for (let i = 0; i < mutants; i++) {
      const { path, text, data } = known[i % known.length]!;
      const source = { path: random() < 0.2 ? "workflow.json" : path, text: mutant(text, data, random) };
      const options = optionsOf[language]!(random);
      const from = random() < 0.3 ? language : undefined;
      const compile = () =>
        compileWith({ sources: [source], options, from }, languages, targets[i % (targets.length + 1)]);
      const about = () => `mutant ${i} of ${path}:\n${source.text}`;
      const seconds = await secondsOf(async () => {
        const { files, diagnostics, program } = await compile().catch((error: unknown) => {
          throw new Error(about(), { cause: error });
        });
        expect(
          files.length > 0 || program !== undefined || diagnostics.some(({ severity }) => severity === "error"),
          about(),
        ).toBe(true);
        for (const { span } of diagnostics)
          expect(0 <= span.start && span.start <= span.end && span.end <= source.text.length, about()).toBe(true);
        expect(diagnostics.length === 0 || renderText(diagnostics, { color: false }) !== "", about()).toBe(true);
        if (files.length > 0) compiled += 1;
      });
      expect(seconds, about()).toBeLessThan(1);
    }
    expect(compiled, "mutants that still compile").toBeGreaterThan(mutants / 30);
  },
);
