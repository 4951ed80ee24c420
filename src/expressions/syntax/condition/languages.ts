/** The condition languages. */
export const conditionLanguages = ["spel", "jexl", "cel"] as const;

/** A condition language. */
export type ConditionLanguage = (typeof conditionLanguages)[number];

/** Looks a language up, case-insensitive. */
export const conditionLanguageOf = (name: string): ConditionLanguage | undefined =>
  conditionLanguages.find((language) => language === name.toLowerCase());
