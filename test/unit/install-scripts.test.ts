/** Which packages may run scripts when `npm ci` installs them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const readJson = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"));

/** After `npm install`, delete `hasInstallScript` again from packages that must not run their scripts, such as aws-lambda-ric and @scarf/scarf. */
test("the lock file has install scripts of those packages alone that package.json allows", () => {
  const { allowScripts } = readJson("package.json");
  const { packages } = readJson("package-lock.json") as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>;
  };
  const withScripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  for (const [path] of withScripts)
    expect(allowScripts[path.replace(/^.*node_modules\//, "")], path).toBe(true);
  expect(withScripts.length).toBeGreaterThan(0);
});
