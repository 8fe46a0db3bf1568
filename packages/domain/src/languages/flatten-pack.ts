/** The texts of one group file, by key. */
export type PackGroup = Readonly<Record<string, string>>

/** Joins group files into one pack: `{common: {close}}` becomes `{'common.close'}`. */
export function flattenPack(groups: Readonly<Record<string, PackGroup>>): Record<string, string> {
  const pack: Record<string, string> = {}
  for (const [group, texts] of Object.entries(groups)) {
    for (const [key, text] of Object.entries(texts)) pack[`${group}.${key}`] = text
  }
  return pack
}
