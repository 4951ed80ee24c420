import { templates } from "../../../src/generated/openwhisk-templates.js";
import { renderTemplate } from "../../../src/js-ast/index.ts";
import { secretKey } from "../runtime/actions/secrets.ts";
import { type Deployment, isAction } from "./deployment.ts";
import { endTriggers, eventsOf, needsStore, type PlannedWorkflow, secretsOf } from "./plan.ts";

/** Prints the README of a deployment, with only the sections that apply to the program. */
export function printReadme(workflows: readonly PlannedWorkflow[], deployment: Deployment): string {
  const [first] = workflows;
  const own = deployment.package;
  const open = workflows.flatMap(({ workflow }) =>
    workflow.functions
      .filter((definition) => isAction(definition) && deployment.isUnbound(workflow, definition))
      .map((definition) => deployment.action(workflow, definition)),
  );
  const events = eventsOf(workflows, deployment);
  const suspended = needsStore(workflows);
  const secrets = secretsOf(workflows);
  return renderTemplate(templates["README.md"], {
    workflows: workflows.map(({ workflow, action, name }) => ({
      name: plain(workflow.name),
      action: `${own}/${action}`,
      file: `${name}.composition.json`,
    })),
    first: `${own}/${first!.action}`,
    functions: [...new Set(open)].map((action) => ({ action })),
    noFunctions: open.length === 0 ? [{}] : [],
    heard: events.filter(({ isReceived }) => isReceived).map(({ trigger }) => ({ trigger })),
    emitted: events.filter(({ isReceived }) => !isReceived).map(({ trigger }) => ({ trigger })),
    storing: suspended ? [{ package: own }] : [],
    secrets: secrets.length > 0 ? [{ example: exampleOf(secrets) }] : [],
    ended: endTriggers(workflows).map(([action, trigger]) => ({ action: `${own}/${action}`, trigger })),
  });
}

/** An example of the variable WAYBILL_SECRETS, quoted for a shell: `{"mail":{"key":"…"}}`. */
function exampleOf(secrets: ReturnType<typeof secretsOf>): string {
  const byId = [...Map.groupBy(secrets, ({ id }) => id)].map(([id, each]) => {
    return [id, Object.fromEntries(each.map((secret) => [secretKey(secret), "…"]))] as const;
  });
  return JSON.stringify(Object.fromEntries(byId)).replaceAll("'", "'\\''");
}

/** Escapes Markdown. */
const plain = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);
