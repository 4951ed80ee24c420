import { templates } from "../../../src/generated/openwhisk-templates.js";
import { renderTemplate } from "../../../src/js-ast/index.ts";
import { secretKey } from "../runtime/actions/secrets.ts";
import { type Deployment, isAction } from "./deployment.ts";
import { endedTriggers, eventsOf, needsStore, type Planned, secretsOf } from "./plan.ts";

/** What somebody has to know who deploys the program. */
export function readmeText(flows: readonly Planned[], deployment: Deployment): string {
  const [first] = flows;
  const own = deployment.package;
  const open = flows.flatMap(({ workflow }) =>
    workflow.functions
      .filter((definition) => isAction(definition) && deployment.isOpen(workflow, definition))
      .map((definition) => deployment.action(workflow, definition)),
  );
  const events = eventsOf(flows, deployment);
  const suspended = needsStore(flows);
  const secrets = secretsOf(flows);
  return renderTemplate(templates["README.md"], {
    workflows: flows.map(({ workflow, action, name }) => ({
      name: plain(workflow.name),
      action: `${own}/${action}`,
      file: `${name}.composition.json`,
    })),
    first: `${own}/${first!.action}`,
    functions: [...new Set(open)].map((action) => ({ action })),
    noFunctions: open.length === 0 ? [{}] : [],
    heard: events.filter(({ isHeard }) => isHeard).map(({ trigger }) => ({ trigger })),
    emitted: events.filter(({ isHeard }) => !isHeard).map(({ trigger }) => ({ trigger })),
    storing: suspended ? [{ package: own }] : [],
    secrets: secrets.length > 0 ? [{ example: exampleOf(secrets) }] : [],
    ended: endedTriggers(flows).map(([action, trigger]) => ({ action: `${own}/${action}`, trigger })),
  });
}

/** `{"mail":{"key":"…"}}` for the quotes of a shell, as who deploys gives the texts of secrets. */
function exampleOf(secrets: ReturnType<typeof secretsOf>): string {
  const byId = [...Map.groupBy(secrets, ({ id }) => id)].map(([id, each]) => {
    return [id, Object.fromEntries(each.map((secret) => [secretKey(secret), "…"]))] as const;
  });
  return JSON.stringify(Object.fromEntries(byId)).replaceAll("'", "'\\''");
}

/** A text in which nothing has a meaning for Markdown. */
const plain = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);
