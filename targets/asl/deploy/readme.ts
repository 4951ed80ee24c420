import { templates } from "../../../src/generated/asl-templates.js";
import { receivedBy } from "../../../src/ir/receiving.ts";
import { renderTemplate } from "../../../src/js-ast/index.ts";
import { singleLine } from "./resources.ts";
import type { DeploymentStack } from "./template.ts";

/** What somebody has to know who deploys a stack: what it is, the commands, and what is asked for. */
export function readmeText({ machines: deployments, parameters }: DeploymentStack): string {
  const [first] = deployments;
  const overrides = parameters.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [name] : []));
  const started = deployments.find(({ workflow }) => workflow.start.on === undefined);
  const heard = deployments.flatMap(({ workflow }) => receivedBy(workflow));
  const raised = [...new Set(deployments.flatMap((each) => each.endErrors))].toSorted();
  const stack = first!.stem.toLowerCase().replace(/^(?![a-z])/, "w");
  return renderTemplate(templates["README.md"], {
    machines: deployments.map(({ workflow, file, stem }) => ({ name: escapeMarkdown(workflow.name), file, stem })),
    stack,
    overrides: overrides.length > 0 ? [{ line: overrides.map((name) => `${name}=…`).join(" ") }] : [],
    parameters: parameters.map(({ name, description }) => ({ name, description: escapeMarkdown(description) })),
    hasParameters: parameters.length > 0 ? [{}] : [],
    raised: raised.length > 0 ? [{ names: raised.map((name) => `\`${name}\``).join(", ") }] : [],
    started: started ? [{ stem: started.stem, stack }] : [],
    heard: heard.length > 0 ? [{ example: exampleEntry(heard[0]!) }] : [],
  });
}

/** An entry of an event as `aws events put-events` takes it from a shell: in single quotes, with nothing in it that ends them. */
function exampleEntry({
  type = "…",
  source = "…",
}: {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
}): string {
  const entry = [{ Source: source, DetailType: type, Detail: "{}" }];
  return JSON.stringify(entry).replaceAll("'", "\\u0027");
}

/** A text in which nothing has a meaning for Markdown. */
const escapeMarkdown = (text: string): string =>
  singleLine(text)
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);
