import type { Span } from "../text/source.ts";

/** The spans of values that the source states, by the member of the node; a default has none. */
export type ValueSpans<Member extends string> = { readonly [member in Member]?: Span | undefined };

/** The span of a value of a node, otherwise of the node. */
export function spanOfValue<Member extends string>(
  { span, spans }: { readonly span: Span; readonly spans?: ValueSpans<Member> | undefined },
  member: Member,
): Span {
  return spans?.[member] ?? span;
}
