/** The list of labs. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { call } from "../api/call.ts";
import { follow } from "../api/events.ts";
import { authorization, signOut } from "../api/session.ts";
import type { Project } from "../api/types.ts";
import { leaveIssuer } from "../sign-in/issuer.ts";
import { attempt, report } from "../ui/notices.tsx";
import { GALLERY_ADDRESS } from "../ui/route.ts";
import { ThemeSwitch } from "../ui/theme.tsx";
import { CreateLab } from "./create-lab.tsx";
import { dropTarget, importFiles } from "./import-lab.ts";
import { ImportReport } from "./import-report.tsx";
import { LabRow } from "./lab-row.tsx";
import { ORDERS, type Order, shownLabs } from "./shown-labs.ts";

async function leave(): Promise<void> {
  const isLeaving = leaveIssuer();
  signOut();
  await isLeaving;
}

export const LabsPage = () => {
  const [labs, setLabs] = useState<readonly Project[] | null>(null);
  const [problem, setProblem] = useState("");
  const [words, setWords] = useState("");
  const [order, setOrder] = useState<Order>("newest");
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
  const shown = useMemo(() => shownLabs(labs ?? [], words, order), [labs, words, order]);
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
      <p class="lead">
        A lab is a network of simulated devices: build it, look into its packets, break it, and test what must
        hold.
      </p>
      <CreateLab />
      <ImportReport />
      {labs?.length === 0 && (
        <p class="empty">
          There is no lab yet. Create one above, open an <a href={GALLERY_ADDRESS}>example</a>, or drop a lab
          here: <code>.gns3project</code>, <code>.lab.yaml</code>, containerlab or CML.
        </p>
      )}
      {labs && labs.length > 0 && (
        <search class="finder">
          <input
            type="search"
            aria-label="Search labs by name or owner"
            placeholder="Search"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <select
            aria-label="Order of the labs"
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value as Order)}
          >
            {Object.entries(ORDERS).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </search>
      )}
      {labs && labs.length > 0 && shown.length === 0 && (
        <p class="empty" role="status">
          No lab has “{words}” in its name or owner.
        </p>
      )}
      <ul class="lab-list" aria-label="Labs">
        {shown.map((lab) => (
          <LabRow key={lab.project_id} lab={lab} />
        ))}
      </ul>
    </main>
  );
};
