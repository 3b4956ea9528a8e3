/**
 * Processor time of a run: the time that this thread spends in the run's own steps. Other requests in the process, other processes
 * and waiting for the store do not count, so they do not change where a run ends.
 */
export class ProcessorTime {
  #spentUs = 0;
  /** The thread's time when the current step began. */
  #beganUs: number | undefined;

  get seconds(): number {
    const underWayUs = this.#beganUs === undefined ? 0 : threadUs() - this.#beganUs;
    return (this.#spentUs + underWayUs) / 1e6;
  }

  /** Performs a step of the run and counts its time. Steps are not nested. */
  during<T>(step: () => T): T {
    this.#beganUs = threadUs();
    try {
      return step();
    } finally {
      this.#spentUs += threadUs() - this.#beganUs;
      this.#beganUs = undefined;
    }
  }
}

function threadUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
