/** A regular expression for a string that is a JSON number. */
export const numeral = "/^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?(?![\\s\\S])/";
