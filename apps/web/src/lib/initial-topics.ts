/**
 * Live topic snapshots embedded in the page, by topic name. Each is used until the live connection delivers its own.
 */
export const initialTopics = new Map<string, unknown>()

let storedAt: number | null = null

/** Says that the page shows what an earlier page stored at this time of the server. */
export function setStoredAt(at: number): void {
  storedAt = at
}

/** When the page's first data was stored by an earlier page, in the server's time; null if the server sent it. */
export const firstDataAt = (): number | null => storedAt
