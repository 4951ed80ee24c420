import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { compile } from "../../../src/index.ts";
import { languages } from "../../languages.ts";

// The tables of fields in the documentation of each step: type, whether a field is required, and whether it may contain
// jq. A row is `name type flags`: `!` for required, `T` for jq. Types: `s` string, `n` number, `i` integer, `b` boolean,
// `s[]` array of strings, `{s}` strings by name, `a|b` one of these words, `:part` an object of a part below.

const tables: { readonly [part: string]: string } = {
  containerCall: "containerId s ! / path s T / method s T / body s T / headers {s} T / query {s} T",
  httpCall:
    "url s !T / method OPTIONS|GET|HEAD|POST|PUT|PATCH|DELETE|TRACE|CONNECT / body s T / headers {s} T / query {s} T / useServiceAccount b",
  grpcCall: "endpoint s !T / method s !T / body s T / headers {s} T / useServiceAccount b",
  ymq: "queueArn s ! / put :ymqPut !",
  ymqPut: "body s T",
  yds: "database s ! / topic s ! / put :ydsPut !",
  ydsPut: "body s T / partitionKey s T",
  ydbDocument:
    "database s ! / tableName s ! / get :ydbGet one / put :ydbPut one / update :ydbUpdate one / scan :ydbScan one",
  ydbGet: "key s !T",
  ydbPut: "item s !T",
  ydbUpdate: "key s !T / expression s !T / expressionAttributeValues s T",
  ydbScan: "limit s T / exclusiveStartKey s T",
  objectStorage: "bucket s ! / object s !T / put :write one / get :read one",
  disk: "oauthToken s !T / path s !T / sharedDiskId s / upload :write one / download :read one",
  write: "content s !T / contentType BINARY|JSON|TEXT",
  read: "contentType BINARY|JSON|TEXT|EXCEL|CSV",
  foundationModelsCall: "modelUrl s ! / generate :generate one / classify :classify one / fewShotClassify :fewShot one",
  generate:
    "maxTokens i ! / temperature n / json s Tone / messages :messages one / reasoningOptions :reasoning / jsonSchema s T",
  reasoning: "mode REASONING_MODE_UNSPECIFIED|DISABLED|ENABLED_HIDDEN !",
  messages: "messages [:message] !",
  message: "role s ! / text s !T",
  classify: "text s !T",
  fewShot: "taskDescription s !T / text s !T / labelsJson s T / samplesArray :samples",
  samples: "samples [:sample] !",
  sample: "text s !T / label s !T",
  aiAgent: "agentConfig :agent ! / tasks [:task] !",
  agent: "role s !T / goal s !T / backstory s T / model :model",
  model: "name s one / uri s one",
  task: "description s !T / result s !T",
  aiStudioAgent: "promptTemplateId s ! / message s T / variables {s} T / autoApprove b",
  databaseQuery: "query s !T / mode EXEC|QUERY / connection :connection one / dsn s one",
  connection: "type MYSQL|POSTGRES|YDB|CLICKHOUSE ! / host s ! / port i ! / database s ! / ssl b / simple :login",
  login: "username s !T / password s !T",
  tracker:
    "oauthToken s !T / organization :organization ! / endpoint s T / getIssue :getIssue one / createIssue :createIssue one / updateIssue :updateIssue one / listIssues :listIssues one / linkIssues :linkIssues one / updateIssueStatus :updateStatus one / createComment :createComment one / updateComment :updateComment one / listComments :listComments one",
  organization: "yandexOrganizationId s Tone / cloudOrganizationId s Tone",
  getIssue: "key s !T",
  createIssue:
    "queue s !T / title s !T / parent s T / description s T / sprints s T / type s T / priority s T / followers s T / assignee s T / author s T / additionalProperties {s} T",
  updateIssue:
    "key s !T / title s T / parent s T / description s T / sprints :change / type s T / priority s T / followers :change / additionalProperties :changes",
  change: "setValue s Tone / addValuesList s Tone / removeValuesList s Tone / replaceValuesMap :replacements one",
  changes: "pairs {:change}",
  replacements: "json s Tone / plainValue :pairs one",
  pairs: "pairs {s} !T",
  listIssues: "pageSize s T / pageNumber s T / queue s Tone / keys s Tone / filter :filter one / query s Tone",
  filter: "issueProperties {s} !T / order s T",
  linkIssues: "key s !T / linkKey s !T / relationship s !T",
  updateStatus: "key s !T / transition s !T / additionalProperties :pairs",
  createComment: "key s !T / text s !T / mentions s T",
  updateComment: "id s !T / issueKey s !T / text s !T",
  listComments: "key s !T / lastCommentId s T / pageSize s T",
  postbox: "fromAddress s ! / destination :destination ! / simple :mail one / raw :raw one",
  destination: "toAddresses s !T / ccAddresses s T",
  raw: "data s !T",
  mail: "subject :data ! / body :mailBody !",
  mailBody: "text :data ! / html :data !",
  data: "data s !T / charset UTF_8|ISO_8859_1|Shift_JIS !",
  telegramBot: "token s !T / sendMessage :sendMessage !",
  sendMessage: "chatId s !T / text s !T / parseMode UNSPECIFIED|MARKDOWN|MARKDOWNV2|HTML / replyTo s T",
  vectorStore: "uploadFile :upload !",
  upload:
    "vectorStoreId s ! / textFile :textFile one / urlFile :urlFile one / objectStorage :stored one / attributes {s} T",
  textFile: "text s !T / fileName s !T",
  urlFile: "url s !T / fileName s !T",
  stored: "bucket s ! / object s !T",
  ocr: "recognizeText :recognition ! / base64 s Tone / url s Tone / objectStorage :stored one / disk :diskFile one",
  stt: "recognizeText :recognition ! / base64 s Tone / url s Tone / objectStorage :stored one / disk :diskFile one",
  recognition: "mimeType s ! / languageCodes s[] ! / model s !",
  diskFile: "oauthToken s ! / path s !T / sharedDiskId s T",
};

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isInterpolated: boolean;
  /** One of the fields with this flag is required, and excludes the others. */
  readonly isChoice: boolean;
}

const rowsOf = (part: string): readonly Row[] =>
  tables[part]!.split(" / ").map((row) => {
    const [name = "", type = "", flags = ""] = row.split(" ");
    return {
      name,
      type,
      isRequired: flags.includes("!"),
      isInterpolated: flags.includes("T"),
      isChoice: flags.includes("one"),
    };
  });

const kinds = [
  "containerCall",
  "httpCall",
  "grpcCall",
  "ymq",
  "yds",
  "ydbDocument",
  "objectStorage",
  "disk",
  "foundationModelsCall",
].concat([
  "aiAgent",
  "aiStudioAgent",
  "databaseQuery",
  "tracker",
  "postbox",
  "telegramBot",
  "vectorStore",
  "ocr",
  "stt",
]);

/** A value of a type. Strings with jq contain it where `jq` is set. */
function exampleOf(type: string, jq: boolean): unknown {
  if (type.startsWith("[:")) return [minimal(type.slice(2, -1))];
  if (type.startsWith("{:")) return { name: minimal(type.slice(2, -1)) };
  if (type.startsWith(":")) return minimal(type.slice(1));
  const text = jq ? "x\\(.id)" : "x";
  if (type === "s") return text;
  if (type === "s[]") return [text];
  if (type === "{s}") return { name: text };
  return { n: 0.5, i: 7, b: true }[type] ?? type.split("|")[0];
}

/** The required fields of a part, and the first of those that exclude each other. */
function minimal(part: string): object {
  const rows = rowsOf(part);
  const choice = rows.find(({ isChoice }) => isChoice);
  const chosen = rows.filter((row) => row.isRequired || row === choice);
  return Object.fromEntries(chosen.map(({ name, type }) => [name, exampleOf(type, false)]));
}

/** The paths from a step to objects of each part: a function that puts an object there. */
function placesOf(kind: string): readonly { readonly part: string; build(object: object): object }[] {
  const found: { readonly part: string; build(object: object): object }[] = [];
  const visit = (part: string, build: (object: object) => object): void => {
    found.push({ part, build });
    for (const { name, type, isChoice } of rowsOf(part)) {
      const inner = /:(\w+)/.exec(type)?.[1];
      if (inner === undefined) continue;
      const wrap = (object: object): unknown =>
        type.startsWith("[") ? [object] : type.startsWith("{") ? { name: object } : object;
      const around = isChoice
        ? Object.fromEntries(
            Object.entries(minimal(part)).filter(
              ([key]) => !rowsOf(part).some((row) => row.isChoice && row.name === key),
            ),
          )
        : minimal(part);
      visit(inner, (object) => build({ ...around, [name]: wrap(object) }));
    }
  };
  visit(kind, (object) => object);
  return found;
}

const definitionOf = (kind: string, step: object): string =>
  JSON.stringify({ yawl: "0.1", start: "a", steps: { a: { [kind]: step } } });

function codesOf(kind: string, step: object): readonly string[] {
  const sources = [{ path: "a.yaml", text: definitionOf(kind, step) }];
  return check({ sources, options: {} }, languages).diagnostics.map(({ code }) => code);
}

/** What the step sends, printed. */
function sentBy(kind: string, step: object): string {
  const sources = [{ path: "a.yaml", text: definitionOf(kind, step) }];
  const { program } = check({ sources, options: {} }, languages);
  const call = program!.workflows[0]!.body.steps.find((each) => each.kind === "call");
  return JSON.stringify(call && "argument" in call ? call.argument : undefined);
}

const cases = kinds.flatMap((kind) =>
  placesOf(kind).flatMap(({ part, build }) =>
    rowsOf(part).map(
      (row) => [`${kind}: ${part === kind ? "" : `${part}.`}${row.name}`, kind, part, row, build] as const,
    ),
  ),
);

describe("the fields of steps are those of the documentation", () => {
  test.each(cases)("%s", (_, kind, part, row, build) => {
    const whole = minimal(part) as { readonly [name: string]: unknown };
    const others = Object.fromEntries(
      Object.entries(whole).filter(
        ([name]) =>
          name !== row.name && !(row.isChoice && rowsOf(part).some((each) => each.isChoice && each.name === name)),
      ),
    );
    const withValue = (value: unknown): object => build({ ...others, [row.name]: value });
    expect(codesOf(kind, withValue(exampleOf(row.type, false))), "a value of its type").toEqual([]);
    expect(codesOf(kind, withValue({ unknown: [1] })).length, "a value of another type").toBeGreaterThan(0);
    if (row.isRequired) expect(codesOf(kind, build(others)), "required").toContain("WB1001");
    if (!/^(?:s|s\[\]|\{s\})$/.test(row.type)) return;
    const interpolated = withValue(exampleOf(row.type, true));
    expect(codesOf(kind, interpolated), "jq").toEqual(row.isInterpolated ? [] : ["WB4208"]);
    expect(sentBy(kind, interpolated).includes("\\\\(.id)"), "jq is sent").toBe(!row.isInterpolated);
  });
});

/** One step of each kind with most of its fields. */
const steps: readonly (readonly [kind: string, step: object])[] = [
  ["functionCall", { functionId: "d4e", tag: "prod" }],
  ["containerCall", { containerId: "bba", path: "/a", method: "PUT" }],
  ["httpCall", { url: "https://a.example", useServiceAccount: true }],
  ["objectStorage", { bucket: "b", object: "o", get: { contentType: "JSON" } }],
  ["foundationModelsCall", exampleOf(":foundationModelsCall", false) as object],
  ["ocr", exampleOf(":ocr", false) as object],
];

/** The step with one of its values changed, for each. */
function changesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => changesOf(item).map((changed) => value.with(i, changed)));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) =>
      changesOf(item).map((changed) => ({ ...value, [key]: changed })),
    );
  if (value === "JSON") return ["TEXT"];
  if (typeof value === "boolean") return [!value];
  return [typeof value === "number" ? value + 1 : `${String(value)}y`];
}

describe.each(["asl", "openwhisk", "typescript"] as const)("every field changes the output of %s", (target) => {
  const outputOf = async (kind: string, step: unknown): Promise<string> => {
    const sources = [{ path: "a.yaml", text: definitionOf(kind, step as object) }];
    return JSON.stringify((await compile({ sources, target })).files);
  };
  test.each(steps)("%s", async (kind, step) => {
    const changed = changesOf(step);
    expect(changed.length).toBeGreaterThan(1);
    const outputs = await Promise.all([step, ...changed].map((each) => outputOf(kind, each)));
    expect(outputs.filter((each) => each === "[]")).toEqual([]);
    expect(new Set(outputs).size).toBe(outputs.length);
  });
});
