/** Names in these scripts have the family name first, without a space. */
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u

/** A person's name in one text, in the order of its script: "Ada Pérez", "王小明". Without a family name: the first name. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return eastAsian.test(firstName) && eastAsian.test(lastName)
    ? `${lastName}${firstName}`
    : `${firstName} ${lastName}`.trim()
}
