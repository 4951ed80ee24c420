/** Lists and types whose text is longer are written on several lines. */
export const widest = 90;
