const mebibyte = 1024 * 1024

/**
 * What PostgreSQL keeps in its own memory, as its setting `shared_buffers`: an eighth of the machine's memory, so that
 * the indexes of a large city are not copied from the system's cache again and again; Hansom needs the rest.
 * `constrained` is what a container is allowed, in bytes; 0 and undefined are no limit.
 */
export function sharedBuffers(total: number, constrained: number | undefined): string {
  const memory = constrained ? Math.min(total, constrained) : total
  const eighth = Math.floor(memory / 8 / mebibyte)
  return `${Math.min(512, Math.max(128, eighth))}MB`
}
