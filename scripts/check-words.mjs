/**
 * Words that are never right here, and what to write instead.
 * @type {readonly (readonly [pattern: RegExp, instead: string])[]}
 */
const banned = [
  [/whatever/i, 'any, every, or “regardless of”'],
  [/whoever|whomever/i, 'the user, the caller, anyone who'],
  [/(?<![\w-])somebody|[a-z]Somebody/i, 'a user, another user, an admin'],
  [/nobody(?!@)/i, 'no one, no user, unknown'],
  [/\b[Aa]new\b|[a-z]Anew/, 'again, reload, retry'],
  [/\bin earnest\b/i, 'in production'],
  [/\bby hand\b/i, 'manually'],
  [/\bso (?:much|many)\b/i, 'the amount, the number'],
  [/\b(?:he|him|his)\b(?!["'`])/, 'they, them, their'],
]

/** Not checked: this list and its test, applied migrations and other languages. */
const skipped = /^scripts\/check-words|\/migrations\/|\/packs\/(?!en\/)|^package-lock\.json$/

/** These name the system user that PostgreSQL runs as. */
const exceptions = [
  'apps/server/src/platform/database/embedded/process-user.ts',
  'docs/decisions/0020-embedded-postgresql.md',
]

/**
 * Finds banned words in code, comments, tests, English texts and documentation, and suggests others.
 * @param {Map<string, string>} sources every file, by path
 */
export function checkWords(sources) {
  let files = 0
  /** @type {string[]} */
  const problems = []
  for (const [file, text] of sources) {
    if (skipped.test(file) || exceptions.includes(file)) continue
    files += 1
    for (const [index, line] of text.split('\n').entries())
      for (const [pattern, instead] of banned) {
        const found = pattern.exec(line)
        if (found) problems.push(`${file}:${index + 1}: “${found[0]}”: write ${instead}`)
      }
  }
  return { files, problems }
}
