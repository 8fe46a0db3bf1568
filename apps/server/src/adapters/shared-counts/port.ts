/**
 * Counts that the servers of an installation keep in common. Null means that the others cannot be reached: each server then
 * counts for itself.
 */
export interface SharedCounts {
  /**
   * Adds `parts` to the count of `key` in its window, which begins with the first addition. The parts of one call are those
   * up to `count`, so that no two servers get the same one.
   */
  add(key: string, windowMs: number, parts: number): Promise<{ count: number; leftMs: number } | null>
  /**
   * Counts another one of what an owner has open on this server, such as a socket; false when all servers together have `limit`.
   * A server that died or is silent does not count.
   */
  open(owner: string, limit: number): Promise<boolean | null>
  /** Ends what `open` counted. */
  close(owner: string): void
  stop(): void
}
