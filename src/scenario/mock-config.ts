import { Document as YamlDocument } from "yaml";
import { wrongMockConfig } from "../diagnostics/scenario.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";

/** A machine of a mock configuration, as the scenarios of a file. */
export interface MockedMachine {
  readonly name: string;
  readonly scenarios: readonly MockedScenario[];
}

/** A test case of a mock configuration. */
export interface MockedScenario {
  readonly name: string;
  /** The answers of each state, as in a scenario file. */
  readonly functions: { readonly [state: string]: readonly JsonObject[] };
}

/** The greatest number of answers that a response may have. */
const maxAnswers = 1000;

/** Whether a document looks like a mock configuration of Step Functions Local. */
export const isMockConfig = (value: Json): boolean =>
  isObject(value) && Object.hasOwn(value, "StateMachines") && Object.hasOwn(value, "MockedResponses");

/** Reads the `MockConfigFile.json` of Step Functions Local; reports what it does not have. */
export function readMockConfig(source: Source, report: Report): readonly MockedMachine[] | undefined {
  let isSound = true;
  const [document] = readDocuments(source, (diagnostic) => {
    isSound &&= diagnostic.severity !== "error";
    report(diagnostic);
  });
  if (!document) return undefined;
  const wrong: WrongPart = (owner, key, part, problem) => {
    isSound = false;
    report(wrongMockConfig(document.spanOf(owner, key, part), { problem }));
  };
  const reader = { document, wrong };
  const root = objectIn(reader, { root: document.value }, "root", ["StateMachines", "MockedResponses"]);
  const responses = new Map(
    entriesOf(reader, root, "MockedResponses").map(([name, owner]) => [name, answersOf(reader, owner, name)] as const),
  );
  const machines = entriesOf(reader, root, "StateMachines").map(([name, owner]): MockedMachine => {
    const machine = objectIn(reader, owner, name, ["TestCases"]);
    const cases = entriesOf(reader, machine, "TestCases");
    return {
      name,
      scenarios: cases.map(([test, owner]) => ({
        name: test,
        functions: mockedStates(reader, owner, test, responses),
      })),
    };
  });
  return isSound ? machines : undefined;
}

type WrongPart = (owner: object, key: string, part: "key" | "value", problem: string) => void;

interface MockReader {
  readonly document: Document;
  readonly wrong: WrongPart;
}

/** An object among the members of `owner`, with no other members than those that are known. */
function objectIn({ wrong }: MockReader, owner: JsonObject, key: string, known?: readonly string[]): JsonObject {
  const value = Object.hasOwn(owner, key) ? owner[key]! : null;
  if (!isObject(value)) {
    if (Object.hasOwn(owner, key)) wrong(owner, key, "value", "This must be an object");
    return {};
  }
  for (const name of known ? Object.keys(value) : [])
    if (!known!.includes(name)) wrong(value, name, "key", "This member does not exist");
  return value;
}

/** The names of an object's members, each with the object. */
function entriesOf(reader: MockReader, owner: JsonObject, key: string): readonly (readonly [string, JsonObject])[] {
  const object = objectIn(reader, owner, key);
  return Object.keys(object).map((name) => [name, object] as const);
}

function mockedStates(
  reader: MockReader,
  owner: JsonObject,
  test: string,
  responses: ReadonlyMap<string, readonly JsonObject[]>,
): MockedScenario["functions"] {
  const states = objectIn(reader, owner, test);
  const answered = Object.entries(states).flatMap(([state, id]) => {
    const answers = typeof id === "string" ? responses.get(id) : undefined;
    if (state.startsWith("#SFN_")) reader.wrong(states, state, "key", "Mocks of nested executions are not imported");
    else if (!answers) reader.wrong(states, state, "value", "No response has this name");
    else return [[state, answers] as const];
    return [];
  });
  return Object.fromEntries(answered);
}

/** The answers of a response, in the order of their numbers; a range such as `1-3` repeats one. */
function answersOf(reader: MockReader, owner: JsonObject, id: string): readonly JsonObject[] {
  const response = objectIn(reader, owner, id);
  const numbered = Object.keys(response).flatMap((numbers) => {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(numbers) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from !== undefined && last >= first && last < maxAnswers) return [{ first, last, numbers }];
    const problem = `This must be a number or a range such as \`1-2\`, below ${maxAnswers}`;
    reader.wrong(response, numbers, "key", problem);
    return [];
  });
  const answers: JsonObject[] = [];
  for (const { first, last, numbers } of numbered.sort((a, b) => a.first - b.first)) {
    if (first !== answers.length)
      reader.wrong(response, numbers, "key", `This must begin with ${answers.length}, the next number`);
    const answer = answerOf(reader, response, numbers);
    for (let at = first; at <= last; at += 1) answers.push(answer);
  }
  return answers;
}

function answerOf(reader: MockReader, owner: JsonObject, numbers: string): JsonObject {
  const entry = objectIn(reader, owner, numbers, ["Return", "Throw"]);
  if (Object.hasOwn(entry, "Return") && !Object.hasOwn(entry, "Throw")) return { returns: entry["Return"]! };
  const thrown = objectIn(reader, entry, "Throw", ["Error", "Cause"]);
  if (Object.hasOwn(entry, "Return") || !Object.hasOwn(entry, "Throw"))
    reader.wrong(owner, numbers, "value", "This must have either `Return` or `Throw`");
  const { Error: error = null, Cause: cause } = thrown as { readonly Error?: Json; readonly Cause?: Json };
  return { throws: { error, ...(cause === undefined ? {} : { cause }) } };
}

/** The definition of a mocked machine. */
export interface MockedDefinition {
  /** Its path, relative to the scenario file. */
  readonly workflow: string;
  /** The machine, if the file has several. */
  readonly pick?: string | undefined;
  /** The input of all scenarios. */
  readonly input: Json;
}

/** The scenario file of a mocked machine. */
export function printMockedScenarios(
  { scenarios }: MockedMachine,
  { workflow, pick, input }: MockedDefinition,
): string {
  const file = {
    workflow,
    ...(pick === undefined ? {} : { pick }),
    scenarios: scenarios.map(({ name, functions }) => ({ name, input, functions })),
  };
  const document = new YamlDocument(file, { aliasDuplicateObjects: false });
  document.commentBefore =
    " Give each scenario its own input. `waybill test --update` adds what the runs do as `expect`.";
  return document.toString({ lineWidth: 120 });
}
