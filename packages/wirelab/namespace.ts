/** `wirelab namespace`: a user for a pull request, who expires with their projects. */
import { isNamespaceName } from "../../functions/shared/schemas/namespace-name.ts";
import { CommandLineError, parseCommandLine, type Surroundings } from "./command-line.ts";
import { deleteResource, findService, putJson, SERVICE_HELP, SERVICE_OPTIONS } from "./service/service.ts";

export const help = `Usage: wirelab namespace create NAME [--expires TIME]
       wirelab namespace delete NAME

  create         makes a namespace, or gives one another password and end; prints variables for the commands that use it:
                 WIRELAB_URL, WIRELAB_USER and WIRELAB_PASSWORD
  delete         refuses its user from now on, and deletes its projects

  --expires TIME  create: the time after which it ends, such as 90m, 12h or 7d; default 7d, at most 90d
${SERVICE_HELP}They must be those of an admin.
`;

const ACTIONS = { create, delete: remove } as const;

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const TIME = /^(\d{1,5})([mhd])$/;

interface Credentials {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly expires_at: string;
}

interface Request {
  readonly name: string;
  readonly expires: string | undefined;
  readonly service: ReturnType<typeof findService>;
  readonly surroundings: Surroundings;
}

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: { ...SERVICE_OPTIONS, expires: { type: "string" } },
    positionals: ["ACTION", "NAME"],
  });
  const [action = "", name = ""] = positionals;
  if (!isAction(action))
    throw new CommandLineError(
      `unknown action ${JSON.stringify(action)}; the actions are ${Object.keys(ACTIONS).join(", ")}`,
    );
  if (!isNamespaceName(name))
    throw new CommandLineError(
      `${JSON.stringify(name)}: a namespace's name has up to 40 of A-Z a-z 0-9 . _ -, with a letter or a digit first`,
    );
  await ACTIONS[action]({ name, expires: values.expires, service: findService(values), surroundings });
}

const isAction = (text: string): text is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, text);

async function create({ name, expires = "7d", service, surroundings }: Request): Promise<void> {
  const expires_at = new Date(Date.now() + readTime(expires)).toISOString();
  const made = (await putJson(service, pathOf(name), { expires_at })) as Credentials;
  surroundings.stderr.write(`the namespace ${name} ends at ${made.expires_at}; its user:\n`);
  // The address that the caller has used: a stack may have several.
  surroundings.stdout.write(
    `WIRELAB_URL=${service.url}\nWIRELAB_USER=${made.user}\nWIRELAB_PASSWORD=${made.password}\n`,
  );
}

async function remove({ name, expires, service, surroundings }: Request): Promise<void> {
  if (expires !== undefined) throw new CommandLineError("namespace delete takes no --expires");
  await deleteResource(service, pathOf(name));
  surroundings.stderr.write(`the namespace ${name} is deleted\n`);
}

const pathOf = (name: string): string => `/namespaces/${name}`;

function readTime(text: string): number {
  const [, count, unit] = TIME.exec(text) ?? [];
  if (count === undefined)
    throw new CommandLineError(`--expires ${text}: give a time such as 90m, 12h or 7d`);
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
