const encoder = new TextEncoder();

/** The length of a string in UTF-8 bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length;
