/** The parts of the Trusted Types API that are used. */
interface TrustedTypes {
  createPolicy<Rules extends object>(name: string, rules: Rules): Rules;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

const rules = { createHTML: (markup: string) => markup, createScriptURL: (url: string) => url };

const policy = trustedTypes?.createPolicy("waybill", rules) ?? rules;

/** Marks the result of `renderSvg`, which escapes every string of a definition, as markup. */
export const trustedPicture = (svg: string): string => policy.createHTML(svg);

/** Marks the address of a script of the page; not for addresses that depend on input. */
export const trustedScript = (url: string): string => policy.createScriptURL(url);
