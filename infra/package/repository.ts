/** The manifest's field that npm compares with the attested provenance; absent outside of a workflow. */
export function repository(env = process.env): object {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  return name === undefined ? {} : { repository: { type: "git", url: `git+${server}/${name}.git` } };
}
