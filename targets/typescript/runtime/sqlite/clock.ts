/**
 * A clock that never goes back: when the machine's is set back, time goes on as it passes; when that is set forward again, the two meet.
 * `wall` gives the
 * machine's time in milliseconds since 1970, `passing` any time that only passes.
 */
export function steady(wall: () => number, passing: () => number = () => performance.now()): () => number {
  let [lastWall, lastPassing, ahead] = [wall(), passing(), 0];
  return () => {
    const [nowWall, nowPassing] = [wall(), passing()];
    const passed = nowPassing - lastPassing;
    const lost = passed - (nowWall - lastWall);
    if (nowWall < lastWall || lost > tolerance + passed / 1000) ahead += lost;
    else if (ahead > 0 && lost < -tolerance) ahead = Math.max(0, ahead + lost);
    [lastWall, lastPassing] = [nowWall, nowPassing];
    return Math.floor(nowWall + ahead);
  };
}

/** Clocks that are merely adjusted drift apart by less, in milliseconds. */
const tolerance = 1000;

/** When a timer fires that was set at `at` for `due`: with a clock that is behind that, after the same stretch of time from now. */
export const dueBy = (now: number, at: number, due: number): number => (now < at ? now + (due - at) : due);
