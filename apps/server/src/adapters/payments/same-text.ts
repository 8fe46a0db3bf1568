import { timingSafeEqual } from 'node:crypto'

/** Compares in a time that tells nothing of the content. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
