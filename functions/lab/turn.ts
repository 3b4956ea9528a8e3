/**
 * Runs of one lab come one after another.
 *
 * A run is tried at once; when something else happened in the lab meanwhile it has to begin again. From then on the caller
 * takes the turn first, for which all others wait, so that a long run is not overtaken for ever by short ones. The turn is a
 * courtesy that expires: what keeps runs apart is the condition of their commit.
 */
import { getProject, leaveTurn, openedProject, type ProjectItem, takeTurn } from "../store/project.ts";
import { STALE, untilFresh } from "../store/transact.ts";

/** A turn lasts this much longer than a few times the attempt that was lost. */
const GRACE_MS = 3_000;
const ATTEMPTS_LONG = 3;

/**
 * Repeats a run until nothing else has happened in the lab meanwhile.
 * @param attempt asks with the project it has read whether it is somebody else's turn, and gives up if so.
 * @throws ApiError `store.busy` after `patienceMs`.
 */
export async function inTurn<T>(
  projectId: string,
  patienceMs: number,
  attempt: (isOthersTurn: (project: ProjectItem) => boolean) => Promise<T | typeof STALE>,
): Promise<T> {
  const holder = crypto.randomUUID();
  let lostMs: number | undefined;
  let holds = false;
  const isOthersTurn = ({ turn }: ProjectItem): boolean =>
    turn !== undefined && turn.holder !== holder && turn.until_ms > Date.now();
  try {
    return await untilFresh(async () => {
      if (lostMs !== undefined) {
        holds = await takeTurn(projectId, holder, Date.now() + GRACE_MS + ATTEMPTS_LONG * lostMs);
        // Whoever waits has to hear of it when the project goes.
        if (!holds) openedProject(await getProject(projectId), projectId);
        if (!holds) return STALE;
      }
      const beginMs = performance.now();
      const result = await attempt(isOthersTurn);
      if (result === STALE) lostMs = performance.now() - beginMs;
      else holds = false;
      return result;
    }, patienceMs);
  } finally {
    if (holds) await leaveTurn(projectId, holder);
  }
}
