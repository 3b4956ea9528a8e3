/** Opens a lab, and closes it when another view is shown. */
import { useEffect, useState } from "preact/hooks";
import { type Lab, openLab } from "../lab/lab.ts";
import { LabView } from "./lab-view.tsx";

export const LabLoader = ({ projectId }: { readonly projectId: string }) => {
  const [lab, setLab] = useState<Lab | null>(null);
  const [problem, setProblem] = useState("");
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    let opened: Lab | undefined;
    // The canvas needs it next: it is loaded while the service reads the lab. The canvas reports if it cannot be loaded.
    import("../topology/graph.ts").catch(() => {});
    openLab(projectId).then(
      (found) => {
        opened = found;
        if (isCurrent) setLab(found);
        else found.close();
      },
      (error: Error) => setProblem(error.message),
    );
    return () => {
      isCurrent = false;
      opened?.close();
    };
  }, [attempts]);
  if (lab !== null) return <LabView lab={lab} />;
  if (problem === "")
    return (
      <main class="message" aria-busy="true">
        Opening the lab…
      </main>
    );
  const again = () => {
    setProblem("");
    setAttempts(attempts + 1);
  };
  return (
    <main class="message">
      <h1>The lab cannot be opened</h1>
      <p role="alert">{problem}</p>
      <p class="buttons">
        <button type="button" onClick={again}>
          Try again
        </button>
        <a class="button" href="#/">
          All labs
        </a>
      </p>
    </main>
  );
};
