/** A word of a shell command. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
