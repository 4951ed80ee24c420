import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { equalValues } from "../../../src/expressions/index.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import type { CommandContext } from "../../../src/target/contract.ts";
import type { MachineDefinition } from "../simulator/environment.ts";
import { isNondeterministic, type StateOutcome, simulateState } from "./outcomes.ts";
import { fillSubstitutions, type StateTest, stateTests, testStateRequest } from "./state-tests.ts";

/** The operations used of AWS's Step Functions client. */
export interface StepFunctionsClient {
  validateStateMachineDefinition(
    request: JsonObject,
  ): Promise<{ readonly diagnostics?: readonly DefinitionDiagnostic[] }>;
  testState(request: JsonObject): Promise<TestStateResponse>;
}

interface DefinitionDiagnostic {
  readonly severity?: string;
  readonly code?: string;
  readonly message?: string;
  readonly location?: string;
}

interface TestStateResponse {
  readonly status?: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
  readonly nextState?: string;
}

const help = `waybill verify --on-aws [options] FILE...

Checks generated machines (*.asl.json and *.asl.yaml files, or folders of them) with AWS Step Functions: validates each
definition, and runs each state with mocked tasks to compare it with \`waybill test --on asl\`. Nothing is deployed.
Credentials are found as by any AWS client.

  --region REGION      the AWS region; default: as configured for AWS clients
  --endpoint URL       an endpoint to use instead of AWS
  --role ARN           the role for testing states
  --input JSON         input for states; repeatable; default: {}
`;

/** Runs `waybill verify`. The exit status is 1 if AWS reports a fault or disagrees with the simulator. */
export async function verify(args: readonly string[], surroundings: CommandContext): Promise<0 | 1 | 2> {
  const { cwd, out, err } = surroundings;
  const options = parseOptions(args);
  if (typeof options === "string") {
    err(`${options}\n\n${help}`);
    return 2;
  }
  if (options.values.help) {
    out(help);
    return 0;
  }
  const client = await clientFor(options.values, cwd);
  if (!client) {
    err("The AWS client for Step Functions is not installed. Run `npm install @aws-sdk/client-sfn`.\n");
    return 2;
  }
  const files = options.positionals.flatMap((path) => machinesAt(resolve(cwd, path)));
  if (files.length === 0) err("No *.asl.json or *.asl.yaml files found.\n");
  try {
    const found = await mapSequentially(files, (file) => verifyMachine(file, options, client));
    const faults = found.flatMap((each) => each.faults);
    for (const fault of faults) out(`${fault}\n`);
    const requests = found.reduce((sum, each) => sum + each.requests, 0);
    err(`${files.length} machines, ${requests} requests, ${faults.length} faults\n`);
    return files.length === 0 ? 2 : faults.length > 0 ? 1 : 0;
  } catch (error) {
    err(`Request to AWS failed: ${(error as Error).message}\n`);
    return 2;
  }
}

async function mapSequentially<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

type VerifyOptions = Exclude<ReturnType<typeof parseOptions>, string>;

function parseOptions(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "on-aws": { type: "boolean" },
        region: { type: "string" },
        endpoint: { type: "string" },
        role: { type: "string" },
        input: { type: "string", multiple: true },
        help: { type: "boolean" },
      },
    });
    if (!values.help && !values["on-aws"]) return "Pass `--on-aws`: the command calls AWS, which requires credentials.";
    if (!values.help && positionals.length === 0) return "Pass the machines to verify, as files or folders.";
    return { values, positionals, inputs: (values.input ?? ["{}"]).map((text) => JSON.parse(text) as Json) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Creates AWS's client, found from the current folder or Waybill's own; undefined if it is not installed. */
async function clientFor(
  { region, endpoint }: { readonly region?: string | undefined; readonly endpoint?: string | undefined },
  cwd: string,
): Promise<StepFunctionsClient | undefined> {
  const found = fromFolder(cwd) ?? (await fromWaybill());
  if (!found) return undefined;
  const endpointOptions = endpoint === undefined ? {} : { endpoint, disableHostPrefix: true };
  return new found.SFN({ ...(region !== undefined && { region }), ...endpointOptions });
}

interface SfnPackage {
  readonly SFN: new (options: object) => StepFunctionsClient;
}

const packageName: string = "@aws-sdk/client-sfn";

function fromFolder(cwd: string): SfnPackage | undefined {
  try {
    return createRequire(join(cwd, "package.json"))(packageName) as SfnPackage;
  } catch {
    return undefined;
  }
}

const fromWaybill = (): Promise<SfnPackage | undefined> =>
  import(packageName).then(
    (found: SfnPackage) => found,
    () => undefined,
  );

const machinesAt = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.asl\.(?:json|yaml)$/.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];

async function verifyMachine(
  file: string,
  { inputs, values: { role } }: VerifyOptions,
  client: StepFunctionsClient,
): Promise<{ readonly faults: readonly string[]; readonly requests: number }> {
  const definition = fillSubstitutions(readFileSync(file, "utf8"));
  const { diagnostics = [] } = await client.validateStateMachineDefinition({
    definition: JSON.stringify(definition),
    type: "STANDARD",
  });
  const tests = stateTests(definition as unknown as MachineDefinition, inputs);
  const disagreements = await mapSequentially(tests, (test) => compareState(test, role, client));
  const findings = diagnostics.map(({ severity, code, message, location }) =>
    [severity, code, message, location && `at ${location}`].filter(Boolean).join(" "),
  );
  const faults = [...findings, ...disagreements.flatMap((each) => each ?? [])].map((fault) => `${file}: ${fault}`);
  return { faults, requests: tests.length + 1 };
}

async function compareState(
  test: StateTest,
  role: string | undefined,
  client: StepFunctionsClient,
): Promise<string | undefined> {
  const own = await simulateState(test);
  try {
    const theirs = outcomeOf(await client.testState(testStateRequest(test, role)));
    return isSameOutcome(own, theirs, isNondeterministic(test)) ? undefined : disagreement(test, own, theirs);
  } catch (error) {
    const { $fault, name, message } = error as Error & { readonly $fault?: string };
    if ($fault !== "client" || /Denied|Token|Credential|Signature/.test(name)) throw error;
    return `state ${test.state}: AWS rejects the request: ${name} ${message}`;
  }
}

const outcomeOf = ({ status, output, error = "", nextState }: TestStateResponse): StateOutcome =>
  status === "SUCCEEDED" || status === "CAUGHT_ERROR"
    ? { kind: "went on", next: nextState, output: JSON.parse(output ?? "null") as Json }
    : { kind: "failed", error };

/** `nondeterministic` states are compared without their data. */
function isSameOutcome(own: StateOutcome, theirs: StateOutcome, byChance: boolean): boolean {
  if (own.kind === "failed" || theirs.kind === "failed")
    return own.kind === "failed" && theirs.kind === "failed" && own.error === theirs.error;
  return own.next === theirs.next && (byChance || equalValues(own.output, theirs.output));
}

const disagreement = ({ state, input, mock }: StateTest, own: StateOutcome, theirs: StateOutcome): string =>
  `state ${state} with ${JSON.stringify(input)}${mock ? `, task mocked with ${JSON.stringify(mock)}` : ""}: AWS ${describeOutcome(theirs)}, the simulator ${describeOutcome(own)}`;

const describeOutcome = (answer: StateOutcome): string =>
  answer.kind === "failed"
    ? `fails with ${answer.error || "no name"}`
    : `${answer.next === undefined ? "ends" : `continues to ${answer.next}`} with ${JSON.stringify(answer.output)}`;
