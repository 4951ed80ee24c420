/** Whether the value of a key of a template is a path or an intrinsic function. */
export const isDynamic = (key: string): boolean => key.endsWith(".$");

/** The name under which a key of a template stores its value. */
export const memberName = (key: string): string => (isDynamic(key) ? key.slice(0, -2) : key);
