/** The languages of conditions that have constructs of their own. Without a name, a condition is read where all of them agree. */
export const conditionLanguages = ["spel", "jexl", "cel"] as const;

/** One of the languages of conditions. */
export type ConditionLanguage = (typeof conditionLanguages)[number];

/** The language with a name, in any case. */
export const conditionLanguageOf = (name: string): ConditionLanguage | undefined =>
  conditionLanguages.find((language) => language === name.toLowerCase());

/** What to do about a construct that only another language has. */
export const onlyIn = (language: ConditionLanguage): string => `It is read where the language is \`${language}\`.`;
