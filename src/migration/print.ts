import { Lexer, type Node, Pair, Scalar, YAMLMap, YAMLSeq, Document as YamlDocument } from "yaml";
import type { Document } from "../documents/index.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Source } from "../text/source.ts";
import type { Place } from "./model.ts";

/** Prints a definition in the syntax of its source, with the comments of the source where their constructs went. */
export function printDefinition(
  value: Json,
  places: ReadonlyMap<object, Place>,
  document: Document,
  isJson: boolean,
): string {
  if (isJson) return `${JSON.stringify(value, null, 2)}\n`;
  const nodes: PlacedNode[] = [];
  const yaml = new YamlDocument();
  yaml.contents = createNode(value, (node, from) => {
    const place = places.get(from);
    if (place) nodes.push({ node, offset: document.spanOf(place.owner, place.key).start });
  }) as YamlDocument["contents"];
  addComments(yaml, nodes, commentsOf(document.source));
  return yaml.toString({ lineWidth: 0, indentSeq: true, flowCollectionPadding: true });
}

/** A node and the offset of its source. */
interface PlacedNode {
  readonly node: Node;
  readonly offset: number;
}

/** Creates nodes. */
function createNode(value: Json, created: (node: Node, from: object) => void): Node {
  if (typeof value !== "object" || value === null) return new Scalar(value);
  const node = Array.isArray(value) ? createSequence(value, created) : createMap(value as JsonObject, created);
  created(node, value);
  return node;
}

function createSequence(values: readonly Json[], created: (node: Node, from: object) => void): YAMLSeq {
  const node = new YAMLSeq();
  for (const each of values) node.add(createNode(each, created));
  return node;
}

function createMap(value: JsonObject, created: (node: Node, from: object) => void): YAMLMap {
  const node = new YAMLMap();
  for (const [key, each] of Object.entries(value)) node.add(new Pair(new Scalar(key), createNode(each, created)));
  return node;
}

/** A comment without `#`. */
interface Comment {
  readonly text: string;
  readonly offset: number;
  /** The offset of what follows, if the comment is alone on its line. */
  readonly next: number | undefined;
}

function commentsOf({ text }: Source): readonly Comment[] {
  const comments: Comment[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (isMarker(lexeme)) continue;
    const start = text.indexOf(lexeme, offset);
    if (lexeme.startsWith("#")) {
      const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
      const next = line.trim() === "" ? start + followingBlank(text.slice(start)) : undefined;
      comments.push({ text: lexeme.slice(1) || blankComment, offset: start, next });
    }
    offset = start + lexeme.length;
  }
  return comments;
}

/** Printed as `#`: the printer omits the mark of an empty line. */
const blankComment = " ";

/** The length of comments, blanks and dashes of lists at the start of a string. */
const followingBlank = (text: string): number => /^(?:\s|#[^\n]*\n|- )*/.exec(text)![0].length;

/** The lexer marks the starts of documents and scalars with control characters. */
const isMarker = (lexeme: string): boolean => markers.has(lexeme);

const markers: ReadonlySet<string> = new Set(["\u0002", "\u0018", "\u001f", "\uFEFF"]);

/** Adds each comment to the construct that follows it at once, else to the one that it is in. */
function addComments(yaml: YamlDocument, nodes: readonly PlacedNode[], comments: readonly Comment[]): void {
  const sorted = [...nodes].sort((a, b) => a.offset - b.offset);
  const added = new Map<Node, string[]>();
  const last: string[] = [];
  for (const { text, offset, next } of comments) {
    const found =
      sorted.find((each) => each.offset === next) ?? sorted.findLast((each) => each.offset < offset) ?? sorted[0];
    if (!found) last.push(text);
    else added.set(found.node, [...(added.get(found.node) ?? []), text]);
  }
  for (const [node, texts] of added)
    if (node === sorted[0]?.node) yaml.commentBefore = texts.join("\n");
    else node.commentBefore = texts.join("\n");
  if (last.length > 0) yaml.comment = last.join("\n");
}
