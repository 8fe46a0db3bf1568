/**
 * Live topic snapshots embedded in the page, by topic name. Each is used until the live connection delivers its own.
 */
export const initialTopics = new Map<string, unknown>()
