import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { askFacts, knownFacts, type LabFacts } from "./lab-facts.ts";

/**
 * Reads the facts of a lab when its row comes into view.
 * @param isImported whether an import has finished the lab: its row may have come before its devices.
 */
export function useFacts(
  projectId: string,
  row: RefObject<Element | null>,
  isImported: boolean,
): LabFacts | undefined {
  const [facts, setFacts] = useState(knownFacts(projectId));
  useEffect(() => {
    const ending = new AbortController();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      askFacts(projectId, ending.signal, setFacts);
    });
    if (row.current) observer.observe(row.current);
    return () => {
      observer.disconnect();
      ending.abort();
    };
  }, [projectId, isImported]);
  return facts;
}
