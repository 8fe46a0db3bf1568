/** Without case and without marks above and below the letters. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Whether every typed word begins a word of the text. Nothing typed fits everything. */
export function fitsWords(typed: string, text: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)))
}
