/** Virtual time, such as `1 h 30 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [Math.round((seconds - Math.floor(whole / 60) * 60) * 1000) / 1000, "s"],
  ] as const;
  const shown = parts.filter(([amount]) => amount !== 0).map(([amount, unit]) => `${amount} ${unit}`);
  return shown.length === 0 ? "0 s" : shown.join(" ");
}
