/** An expression in braces and its offsets: `${ .total }`, `{{ $.total }}`, `{ $.total }`. */
export interface Template {
  readonly from: number;
  readonly to: number;
  readonly expression: string;
}

const braces =
  /^\s*\$\{([^{}]{1,200})\}\s*$|^\s*\{\{([^{}]{1,200})\}\}\s*$|^\s*\{(\s*\$[.[][^{}]{1,200})\}\s*$|\$\{(\s*\.[^{}]{1,200})\}|\{\{(\s*\$\.[^{}]{1,200})\}\}/;

/** Finds the first expression in braces, as in later versions. */
export function findTemplate(text: string): Template | undefined {
  const found = braces.exec(text.slice(0, 10_000));
  if (!found) return undefined;
  const [whole, ...inner] = found;
  return {
    from: found.index,
    to: found.index + whole.length,
    expression: inner.find((each) => each !== undefined)!.trim(),
  };
}

const plainPath = /^\$(?:\.[\w-]+|\[(?:\d+|\*|'[^'\\\]]*')\])+$/;

/** Suggests a path: `stock.count`, `.stock.count` and `${ .stock.count }` → `$.stock.count`. */
export function suggestPath(text: string): string | undefined {
  const template = findTemplate(text);
  if (template && template.to - template.from < text.trim().length) return undefined;
  const inner = template?.expression ?? text.trim();
  const path = inner.startsWith("$") ? inner : inner.startsWith(".") ? `$${inner}` : `$.${inner}`;
  return path !== text && plainPath.test(path) ? path : undefined;
}
