/**
 * Runs of one lab come one after another.
 *
 * A run is tried at once; when something else happened in the lab meanwhile it has to begin again. From then on the caller
 * takes the turn first, for which all others wait, so that a long run is not overtaken for ever by short ones. A run that
 * turns out to be large takes it half-way: of a crowd of them one goes on, and the others have lost little. The turn is a
 * courtesy that expires: what keeps runs apart is the condition of their commit.
 */
import { existingProject, getProject, leaveTurn, type ProjectItem, takeTurn } from "../store/project.ts";
import { STALE, untilFresh } from "../store/transact.ts";

/** A turn lasts this much longer than a few times the attempt that was lost. */
const GRACE_MS = 3_000;
const ATTEMPTS_LONG = 3;

export interface Turn {
  /** Whether somebody else has it, by the project as it was read: then the attempt is to give up. */
  isOthers(project: ProjectItem): boolean;
  /** Takes it, unless the attempt has it already. @returns false when somebody else has it. */
  take(): Promise<boolean>;
}

class OwnTurn implements Turn {
  readonly #projectId: string;
  readonly #holder = crypto.randomUUID();
  /** How long the attempt took that was lost. */
  lostMs: number | undefined;
  holds = false;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  isOthers({ turn }: ProjectItem): boolean {
    return turn !== undefined && turn.holder !== this.#holder && turn.until_ms > Date.now();
  }

  async take(): Promise<boolean> {
    this.holds ||= await this.#renew();
    return this.holds;
  }

  /** Takes it for another attempt. Whoever waits has to hear of it when the project goes. */
  async takeAgain(): Promise<boolean> {
    const project = existingProject(await getProject(this.#projectId), this.#projectId);
    // To read costs less than a write that is refused.
    this.holds = !this.isOthers(project) && (await this.#renew());
    return this.holds;
  }

  async leave(): Promise<void> {
    if (this.holds) await leaveTurn(this.#projectId, this.#holder);
  }

  #renew(): Promise<boolean> {
    const untilMs = Date.now() + GRACE_MS + ATTEMPTS_LONG * (this.lostMs ?? 0);
    return takeTurn(this.#projectId, this.#holder, untilMs);
  }
}

/**
 * Repeats a run until nothing else has happened in the lab meanwhile.
 * @throws ApiError `store.busy` after `patienceMs`.
 */
export async function inTurn<T>(
  projectId: string,
  patienceMs: number,
  attempt: (turn: Turn) => Promise<T | typeof STALE>,
): Promise<T> {
  const turn = new OwnTurn(projectId);
  try {
    return await untilFresh(async () => {
      if (turn.lostMs !== undefined && !(await turn.takeAgain())) return STALE;
      const beginMs = performance.now();
      const result = await attempt(turn);
      if (result === STALE) turn.lostMs = performance.now() - beginMs;
      // The commit has given it back.
      else turn.holds = false;
      return result;
    }, patienceMs);
  } finally {
    await turn.leave();
  }
}
