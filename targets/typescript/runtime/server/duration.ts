/** An ISO 8601 duration in weeks, days and less, such as `P30D` or `PT12H`, in milliseconds; undefined for anything else. */
export function durationOf(text: string): number | undefined {
  const found =
    /^P(?=[\dT])(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,12}(?:\.\d{1,3})?)S)?)?$/.exec(
      text,
    );
  if (!found) return undefined;
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  return ((((weeks! * 7 + days!) * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1000;
}
