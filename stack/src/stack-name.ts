/** Names of stacks. Resources of the stack have names that begin with it, so it is shorter than the 128 characters of CloudFormation. */

type Environment = Readonly<Record<string, string | undefined>>;

const REPOSITORY_CHARACTERS = 24;

export const isStackName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name);

/**
 * Returns the same name for all runs of a pull request, and a name of its own for any other run:
 * `wirelab-labs-pr-12`, `wirelab-labs-4711-1`.
 */
export function defaultStackName({
  GITHUB_REPOSITORY = "",
  GITHUB_REF = "",
  GITHUB_RUN_ID = "0",
  GITHUB_RUN_ATTEMPT = "1",
}: Environment): string {
  const repository = (GITHUB_REPOSITORY.split("/")[1] ?? "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .slice(0, REPOSITORY_CHARACTERS)
    .replaceAll(/^-+|-+$/g, "");
  const [, pull] = /^refs\/pull\/(\d+)\//.exec(GITHUB_REF) ?? [];
  const of = pull === undefined ? `${GITHUB_RUN_ID}-${GITHUB_RUN_ATTEMPT}` : `pr-${pull}`;
  return ["wirelab", ...(repository === "" ? [] : [repository.toLowerCase()]), of].join("-");
}
