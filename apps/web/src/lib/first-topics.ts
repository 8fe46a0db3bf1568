/** Snapshots of live topics that came with the page, by the topics' names; each serves until the line has its own. */
export const firstTopics = new Map<string, unknown>()
