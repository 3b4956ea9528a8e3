/** The list of labs. */
import { useEffect, useState } from "preact/hooks";
import { call } from "../api/call.ts";
import { follow } from "../api/events.ts";
import { authorization, signOut } from "../api/session.ts";
import type { Project } from "../api/types.ts";
import { leaveIssuer } from "../sign-in/issuer.ts";
import { attempt, report } from "../ui/notices.tsx";
import { ThemeSwitch } from "../ui/theme.tsx";
import { CreateLab } from "./create-lab.tsx";
import { dropTarget, importFiles } from "./import-lab.ts";
import { LabRow } from "./lab-row.tsx";

async function leave(): Promise<void> {
  const isLeaving = leaveIssuer();
  signOut();
  await isLeaving;
}

export const LabsPage = () => {
  const [labs, setLabs] = useState<readonly Project[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const ending = new AbortController();
    const read = () =>
      call<Project[]>("GET", "/projects").then(
        (all) => {
          setLabs(all);
          setProblem("");
        },
        (error: Error) => setProblem(error.message),
      );
    void read();
    follow("/notifications", {
      signal: ending.signal,
      onEvent: ({ action }) => void (action.startsWith("project.") && read()),
      onGap: read,
      onConnection: (isThere) => void (isThere ? setProblem("") : read()),
    }).catch(report);
    return () => ending.abort();
  }, []);
  return (
    <main class="labs" {...dropTarget((files) => attempt(() => importFiles(files)))}>
      <header class="bar">
        <h1>Labs</h1>
        <span class="space" />
        <a href="/v2/docs">API</a>
        {authorization.value !== null && (
          <button type="button" class="quiet" onClick={() => attempt(leave)}>
            Sign out
          </button>
        )}
        <ThemeSwitch />
      </header>
      {problem !== "" && (
        <p class="banner" role="alert">
          {problem}
        </p>
      )}
      <CreateLab />
      {labs?.length === 0 && (
        <p class="empty">
          There is no lab yet. Create one above, open an example, or drop a lab here:{" "}
          <code>.gns3project</code>, <code>.lab.yaml</code>, containerlab or CML.
        </p>
      )}
      <ul class="lab-list" aria-label="Labs">
        {labs?.toReversed().map((lab) => (
          <LabRow key={lab.project_id} lab={lab} />
        ))}
      </ul>
    </main>
  );
};
