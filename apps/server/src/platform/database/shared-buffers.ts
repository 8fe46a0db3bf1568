const mebibyte = 1024 * 1024

/**
 * Value of PostgreSQL's `shared_buffers`: an eighth of the machine's memory, so the indexes of a large city are not
 * copied repeatedly from the system's cache; Hansom needs the rest. `constrained` is the container's limit in bytes; 0
 * and undefined mean no limit.
 */
export function sharedBuffers(total: number, constrained: number | undefined): string {
  const memory = constrained ? Math.min(total, constrained) : total
  const eighth = Math.floor(memory / 8 / mebibyte)
  return `${Math.min(512, Math.max(128, eighth))}MB`
}
