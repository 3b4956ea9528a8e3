/** The arguments and the environment variables of `npm start`. */
import { type Described, describeDefault, SETTINGS } from "../settings.ts";

/** Settings of the stack that a variable sets, such as `WIRELAB_CORS_ORIGINS`. */
const OF_THE_STACK = ["cors_origins", "interface_version", "console_pace"] as const;

const variableOf = (key: string): string => `WIRELAB_${key.toUpperCase()}`;

/** infra/settings-table.ts prints them for docs/settings.md. */
export const VARIABLES: Readonly<Record<string, Described>> = {
  PORT: { stated: "3080", doc: "where it listens; 0 is any free port" },
  HOST: {
    stated: "127.0.0.1",
    doc: "on which address; `0.0.0.0` is all of them; one that other machines reach needs `WIRELAB_AUTH=basic`",
  },
  WIRELAB_AUTH: {
    default: "none",
    doc: "`basic`: requires [users and passwords](security.md#on-one-machine)",
  },
  WIRELAB_ADMIN_PASSWORD: {
    stated: "generated, and printed once",
    doc: "the password of the first user, `admin`",
  },
  ...Object.fromEntries(OF_THE_STACK.map((key) => [variableOf(key), SETTINGS[key]])),
  WIRELAB_DATA: { default: ".wirelab", doc: "the folder with everything that survives a restart" },
  WIRELAB_LOG: { stated: "off", doc: "when it is set, all lines of the functions' logs are shown" },
  AWS_ENDPOINT_URL_DYNAMODB: { stated: "embedded", doc: "a compatible server for DynamoDB" },
  AWS_ENDPOINT_URL_S3: {
    stated: "embedded",
    doc: "likewise for S3; the SDK's own variables have the region and the credentials",
  },
};

/** Returns the context of the stack from the environment. */
export const contextFrom = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    OF_THE_STACK.flatMap((key) => {
      const value = environment[variableOf(key)];
      return value ? [[key, value]] : [];
    }),
  );

/** Returns the exit code and the text with which the command ends at once; undefined if it starts the service. */
export function endingOf(
  args: readonly string[],
): { readonly code: 0 | 2; readonly text: string } | undefined {
  const unknown = args.find((arg) => arg !== "--help" && arg !== "-h");
  if (unknown !== undefined) {
    const text = `npm start has no argument ${JSON.stringify(unknown)}; npm start -- --help prints its environment variables.`;
    return { code: 2, text };
  }
  return args.length === 0 ? undefined : { code: 0, text: usage() };
}

function usage(): string {
  const width = Math.max(...Object.keys(VARIABLES).map(({ length }) => length));
  const lines = Object.entries(VARIABLES).map(
    ([name, variable]) =>
      `  ${name.padEnd(width)}  ${plain(variable.doc)} (default: ${plain(describeDefault(variable))})`,
  );
  return `Usage: PORT=8080 npm start

Runs the service on this machine until Ctrl-C. Environment variables:

${lines.join("\n")}

docs/settings.md has the settings of the stack, which are entries of context in cdk.json.`;
}

/** Removes links and quotation marks of Markdown. */
const plain = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("`", "");
