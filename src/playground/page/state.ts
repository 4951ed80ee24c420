import type { TextFile, View } from "../protocol.ts";

/** What a link to the page contains. */
export interface PageState {
  /** The name of an example that the documents are an unchanged copy of. */
  readonly example?: string | undefined;
  readonly definition?: TextFile | undefined;
  readonly scenarios?: TextFile | undefined;
  readonly view?: View | undefined;
  /** The selected scenario and step. */
  readonly scenario?: string | undefined;
  readonly step?: number | undefined;
}

/** Larger states have no link: browsers and chats cut long ones off. */
const maxLinkLength = 64_000;

/** A link must not expand to more than this. */
const maxStateLength = 2_000_000;

const views: readonly View[] = ["asl", "typescript", "openwhisk", "ir", "picture"];

/** Encodes a state as the hash of an address; undefined if it is too long. */
export async function encodeState(state: PageState): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const compressed = new Uint8Array(await new globalThis.Response(stream).arrayBuffer());
  let text = "";
  for (const byte of compressed) text += String.fromCharCode(byte);
  const hash = `#${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return hash.length > maxLinkLength ? undefined : hash;
}

/** Decodes the hash of an address, which may come from anywhere; undefined if it is not a state. */
export async function decodeState(hash: string): Promise<PageState | undefined> {
  if (hash.length < 2 || hash.length > 10 * maxLinkLength) return undefined;
  try {
    const text = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return stateOf(JSON.parse(await inflate(bytes)));
  } catch {
    return undefined;
  }
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    if (text.length > maxStateLength) throw new RangeError("The state is too large.");
  }
  return text + decoder.decode();
}

/** Accepts only members of the right types. */
function stateOf(value: unknown): PageState | undefined {
  if (!isRecord(value)) return undefined;
  const { step } = value;
  return {
    example: stringIn(value, "example"),
    definition: fileIn(value, "definition"),
    scenarios: fileIn(value, "scenarios"),
    view: views.find((view) => view === value["view"]),
    scenario: stringIn(value, "scenario"),
    step: typeof step === "number" && Number.isInteger(step) && step >= 0 ? step : undefined,
  };
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function stringIn(record: { readonly [key: string]: unknown }, key: string): string | undefined {
  const value = record[key];
  return typeof value === "string" ? value : undefined;
}

function fileIn(record: { readonly [key: string]: unknown }, key: string): TextFile | undefined {
  const value = record[key];
  if (!isRecord(value)) return undefined;
  const [path, text] = [stringIn(value, "path"), stringIn(value, "text")];
  return path === undefined || text === undefined ? undefined : { path: path.slice(0, 200), text };
}
