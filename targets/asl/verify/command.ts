import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { equalValues } from "../../../src/expressions/index.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import type { CommandSurroundings } from "../../../src/target.ts";
import type { Machine } from "../simulator/environment.ts";
import { type Answer, isChance, ownAnswer } from "./answers.ts";
import { filledIn, type Question, questionsOf, requestFor } from "./questions.ts";

/** What is used of the client for Step Functions. */
export interface StepFunctions {
  validateStateMachineDefinition(request: JsonObject): Promise<{ readonly diagnostics?: readonly Finding[] }>;
  testState(request: JsonObject): Promise<Tested>;
}

/** What AWS says of a definition. */
interface Finding {
  readonly severity?: string;
  readonly code?: string;
  readonly message?: string;
  readonly location?: string;
}

/** What AWS says of a state. */
interface Tested {
  readonly status?: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
  readonly nextState?: string;
}

const help = `waybill verify --on-aws [options] FILE...

Asks AWS Step Functions about emitted machines (*.asl.json and *.asl.yaml, or folders with them), with the credentials that AWS's clients find: whether each is a
definition, and what each of its states does, its tasks mocked. That is held against what \`waybill test --on asl\` does. Nothing is deployed.

  --region REGION      the region to ask; else as AWS's clients find it
  --endpoint URL       asks there instead of AWS
  --role ARN           the role that states are tested with
  --input JSON         data that states are given, in place of {}; may be given several times
`;

/** `waybill verify`: the exit status is 1 where AWS finds fault with a machine, or says something else of a state than the interpreter of the project. */
export async function verify(args: readonly string[], surroundings: CommandSurroundings): Promise<0 | 1 | 2> {
  const { cwd, out, err } = surroundings;
  const given = choicesIn(args);
  if (typeof given === "string") {
    err(`${given}\n\n${help}`);
    return 2;
  }
  if (given.values.help) {
    out(help);
    return 0;
  }
  const client = await clientFor(given.values, cwd);
  if (!client) {
    err("Asking AWS needs its client for Step Functions: `npm install @aws-sdk/client-sfn` brings it.\n");
    return 2;
  }
  const files = given.positionals.flatMap((path) => machinesAt(resolve(cwd, path)));
  if (files.length === 0) err("There is no *.asl.json or *.asl.yaml to ask about.\n");
  try {
    const found = await inTurn(files, (file) => examine(file, given, client));
    const faults = found.flatMap((each) => each.faults);
    for (const fault of faults) out(`${fault}\n`);
    const asked = found.reduce((sum, each) => sum + each.asked, 0);
    err(`${files.length} machines, ${asked} questions, ${faults.length} faults\n`);
    return files.length === 0 ? 2 : faults.length > 0 ? 1 : 0;
  } catch (error) {
    err(`AWS could not be asked: ${(error as Error).message}\n`);
    return 2;
  }
}

async function inTurn<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

type Choices = Exclude<ReturnType<typeof choicesIn>, string>;

/** What is chosen, or why it cannot be. */
function choicesIn(args: readonly string[]) {
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
    if (!values.help && !values["on-aws"]) return "Say `--on-aws`: AWS is asked, which takes credentials.";
    if (!values.help && positionals.length === 0) return "Say which machines: files, or folders with them.";
    return { values, positionals, inputs: (values.input ?? ["{}"]).map((text) => JSON.parse(text) as Json) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** The client, from the folder in which Waybill is called, or else from where it is installed; undefined where there is none. */
async function clientFor(
  { region, endpoint }: { readonly region?: string | undefined; readonly endpoint?: string | undefined },
  cwd: string,
): Promise<StepFunctions | undefined> {
  const found = fromFolder(cwd) ?? (await fromWaybill());
  if (!found) return undefined;
  const elsewhere = endpoint === undefined ? {} : { endpoint, disableHostPrefix: true };
  return new found.SFN({ ...(region !== undefined && { region }), ...elsewhere });
}

interface Package {
  readonly SFN: new (options: object) => StepFunctions;
}

const packageName: string = "@aws-sdk/client-sfn";

function fromFolder(cwd: string): Package | undefined {
  try {
    return createRequire(join(cwd, "package.json"))(packageName) as Package;
  } catch {
    return undefined;
  }
}

const fromWaybill = (): Promise<Package | undefined> =>
  import(packageName).then(
    (found: Package) => found,
    () => undefined,
  );

const machinesAt = (path: string): readonly string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.asl\.(?:json|yaml)$/.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];

/** What is wrong with one machine, a sentence each, and how often AWS was asked. */
async function examine(
  file: string,
  { inputs, values: { role } }: Choices,
  client: StepFunctions,
): Promise<{ readonly faults: readonly string[]; readonly asked: number }> {
  const definition = filledIn(readFileSync(file, "utf8"));
  const { diagnostics = [] } = await client.validateStateMachineDefinition({
    definition: JSON.stringify(definition),
    type: "STANDARD",
  });
  const questions = questionsOf(definition as unknown as Machine, inputs);
  const disagreements = await inTurn(questions, (question) => disagreementOn(question, role, client));
  const findings = diagnostics.map(({ severity, code, message, location }) =>
    [severity, code, message, location && `at ${location}`].filter(Boolean).join(" "),
  );
  const faults = [...findings, ...disagreements.flatMap((each) => each ?? [])].map((fault) => `${file}: ${fault}`);
  return { faults, asked: questions.length + 1 };
}

/** How AWS and the interpreter of the project differ on a state; undefined where they do not. */
async function disagreementOn(
  question: Question,
  role: string | undefined,
  client: StepFunctions,
): Promise<string | undefined> {
  const own = await ownAnswer(question);
  try {
    const theirs = answerOf(await client.testState(requestFor(question, role)));
    return isSame(own, theirs, isChance(question)) ? undefined : disagreement(question, own, theirs);
  } catch (error) {
    const { $fault, name, message } = error as Error & { readonly $fault?: string };
    if ($fault !== "client" || /Denied|Token|Credential|Signature/.test(name)) throw error;
    return `state ${question.state}: AWS does not take the question: ${name} ${message}`;
  }
}

/** What AWS has said of a state, in our words. */
const answerOf = ({ status, output, error = "", nextState }: Tested): Answer =>
  status === "SUCCEEDED" || status === "CAUGHT_ERROR"
    ? { kind: "went on", next: nextState, output: JSON.parse(output ?? "null") as Json }
    : { kind: "failed", error };

/** Whether two answers are the same; of data that are others each time only the way is looked at. */
function isSame(own: Answer, theirs: Answer, byChance: boolean): boolean {
  if (own.kind === "failed" || theirs.kind === "failed")
    return own.kind === "failed" && theirs.kind === "failed" && own.error === theirs.error;
  return own.next === theirs.next && (byChance || equalValues(own.output, theirs.output));
}

const disagreement = ({ state, input, mock }: Question, own: Answer, theirs: Answer): string =>
  `state ${state} with ${JSON.stringify(input)}${mock ? `, where its task gives ${JSON.stringify(mock)}` : ""}: AWS ${shown(theirs)}, the interpreter ${shown(own)}`;

const shown = (answer: Answer): string =>
  answer.kind === "failed"
    ? `fails with ${answer.error || "no name"}`
    : `goes on ${answer.next === undefined ? "to the end" : `to ${answer.next}`} with ${JSON.stringify(answer.output)}`;
