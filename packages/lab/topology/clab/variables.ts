/** Replaces environment variables in a containerlab file, in the forms of containerlab: `$X`, `${X}`, `${X:-default}` and their like. */

export type Environment = Readonly<Record<string, string | undefined>>;

const NAME = "[A-Za-z_][A-Za-z0-9_]*";
const VARIABLE = new RegExp(`\\$\\$|\\$(?:\\{(${NAME})(?:(:?[-=+?])([^{}]*))?\\}|(${NAME}))`, "g");

/** A variable that is not set and has no default stays as it is written, which containerlab does as well. */
export const replaceVariables = (text: string, environment: Environment): string =>
  text.replaceAll(
    VARIABLE,
    (whole: string, braced?: string, operator = "", other = "", plain?: string): string => {
      const name = braced ?? plain;
      if (name === undefined) return whole;
      const value = environment[name];
      const isGiven = operator.startsWith(":") ? value !== undefined && value !== "" : value !== undefined;
      if (operator.endsWith("+")) return isGiven ? replaceVariables(other, environment) : "";
      if (isGiven) return value!;
      return operator.endsWith("-") || operator.endsWith("=") ? replaceVariables(other, environment) : whole;
    },
  );
