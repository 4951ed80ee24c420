/** A program with its lines indented: by two spaces for each bracket that ends a line before, and what continues a line by two more. */
export function indented(text: string): string {
  let depth = 0;
  let goesOn = false;
  const lines = text.split("\n").map((line) => {
    if (/^[)\]}]/.test(line)) depth -= 1;
    const own = depth + (goesOn || /^[?:] /.test(line) ? 1 : 0);
    if (/[([{]$/.test(line)) depth += 1;
    goesOn = /=>$/.test(line);
    return `${"  ".repeat(own)}${line}`.trimEnd();
  });
  return lines.join("\n");
}
