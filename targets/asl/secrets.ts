import { secretsRuntime } from "../../src/generated/asl-runtime.js";
import { templates } from "../../src/generated/asl-templates.js";
import type { Workflow } from "../../src/ir/workflow.ts";
import { quoteString, renderTemplate } from "../../src/js-ast/index.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import { secretPlaces } from "./legalize/secret-references.ts";
import type { SecretPlace } from "./runtime/secrets.ts";

/**
 * The module that Lambda functions import to resolve references to secrets; undefined if the workflow sends none.
 * `workflow`: before references replaced its secrets.
 */
export function secretsModule(workflow: Workflow, path: string): OutputFile | undefined {
  const places = placesByName(workflow);
  const [example] = places.keys();
  if (example === undefined) return undefined;
  const text = renderTemplate(templates["secrets.mjs"], {
    language: workflow.language,
    workflow: quoteString(workflow.id, "ascii"),
    file: path,
    example: quoteString(example, "ascii"),
    runtime: secretsRuntime().replace(/\nexport \{[^}]*\};\n$/, "\n"),
    functions: [...places].map(([name, each]) => ({ name: quoteString(name, "ascii"), places: literalOf(each) })),
  });
  return { path, text };
}

/** By the name of the function, and by the kind of the steps that call it unless a function has that name. */
function placesByName(workflow: Workflow): ReadonlyMap<string, readonly SecretPlace[]> {
  const byFunction = secretPlaces(workflow);
  const places = new Map(byFunction);
  for (const { name, stepKind } of workflow.functions) {
    const own = byFunction.get(name);
    if (!own || stepKind === undefined || workflow.functions.some((each) => each.name === stepKind)) continue;
    places.set(stepKind, [...(places.get(stepKind) ?? []), ...own]);
  }
  return places;
}

/** JSON in ASCII is a JavaScript literal; parsing it keeps members named `__proto__`. */
const literalOf = (places: readonly SecretPlace[]): string =>
  `JSON.parse(${quoteString(JSON.stringify(places), "ascii")})`;
