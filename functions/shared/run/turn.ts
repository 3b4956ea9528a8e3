/**
 * Concurrent runs of one lab take turns.
 *
 * A run is attempted at once; when the lab changed meanwhile, it has to start again. From then on the request takes the turn
 * first, and all others wait for it, so that short runs cannot overtake a long one for ever. A run that turns out to be large takes
 * the turn half-way: of many such runs one continues, and the others have lost little. The turn is advisory and expires: two runs
 * never commit over each other, because a commit has the condition that no other run
 * was committed since the lab was read.
 */

import type { Access } from "../edge/access.ts";
import { STALE, untilFresh } from "../store/base/transact.ts";
import {
  existingProject,
  getProject,
  leaveTurn,
  type ProjectItem,
  takeTurn,
} from "../store/project/project.ts";

/** A turn lasts a few times as long as the failed attempt, plus this. */
const GRACE_MS = 3_000;
const ATTEMPTS_LONG = 3;

export interface Turn {
  /** Returns whether another request has the turn, by the project as it was read: then the attempt must stop. */
  isOthers(project: ProjectItem): boolean;
  /** Takes the turn, unless the attempt has it already. @returns false when another request has it. */
  take(): Promise<boolean>;
  /** Releases the turn, if the attempt has it: for an attempt that ends without a commit, which would release it. */
  leave(): Promise<void>;
}

class OwnTurn implements Turn {
  readonly #access: Access;
  readonly #projectId: string;
  readonly #holder = crypto.randomUUID();
  /** How long the failed attempt took. */
  lostMs: number | undefined;
  holds = false;

  constructor(access: Access, projectId: string) {
    this.#access = access;
    this.#projectId = projectId;
  }

  isOthers({ turn }: ProjectItem): boolean {
    return turn !== undefined && turn.holder !== this.#holder && turn.until_ms > Date.now();
  }

  async take(): Promise<boolean> {
    this.holds ||= await this.#renew();
    return this.holds;
  }

  /** Takes the turn for another attempt. @throws ApiError when the project was deleted, so that waiting requests end. */
  async takeAgain(): Promise<boolean> {
    const project = existingProject(await getProject(this.#access, this.#projectId), this.#projectId);
    // A read costs less than a refused write.
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
 * Repeats a run until it commits.
 * @throws ApiError `store.busy` after `patienceMs`.
 */
export async function inTurn<T>(
  access: Access,
  projectId: string,
  patienceMs: number,
  attempt: (turn: Turn) => Promise<T | typeof STALE>,
): Promise<T> {
  const turn = new OwnTurn(access, projectId);
  try {
    return await untilFresh(async () => {
      if (turn.lostMs !== undefined && !(await turn.takeAgain())) return STALE;
      const beginMs = performance.now();
      const result = await attempt(turn);
      if (result === STALE) turn.lostMs = performance.now() - beginMs;
      // The commit has released the turn.
      else turn.holds = false;
      return result;
    }, patienceMs);
  } finally {
    await turn.leave();
  }
}
