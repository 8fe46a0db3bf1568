import type { FieldError } from '@hansom/domain/error-keys'

/** The fields of a schema issue used here; zod provides all of them. */
interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  readonly code?: string
  readonly origin?: string
  readonly input?: unknown
  readonly keys?: readonly string[]
  /** The reason that the contract gives for its own rules. */
  readonly params?: { readonly error?: FieldError['error'] }
  readonly errors?: readonly (readonly Issue[])[]
}

const fieldLimit = 20

/** Converts schema issues to the rejected fields and their reasons, at most twenty. */
export function fieldErrors(issues: readonly object[]): FieldError[] {
  return issues.flatMap((issue) => fromIssue(issue as Issue, [])).slice(0, fieldLimit)
}

function fromIssue(issue: Issue, above: string[]): FieldError[] {
  const path = [
    ...above,
    ...(issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)),
  ]
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({ field: dotted([...path, key]), error: 'unknown_field' }))
  }
  const firstChoice = issue.code === 'invalid_union' ? issue.errors?.[0] : undefined
  if (firstChoice !== undefined && firstChoice.length > 0) {
    return firstChoice.flatMap((inner) => fromIssue(inner, path))
  }
  return [{ field: dotted(path), error: reason(issue) }]
}

// Keys are untrusted input.
const dotted = (path: string[]) => path.map((part) => part.slice(0, 60)).join('.')

function reason(issue: Issue): FieldError['error'] {
  const counted = issue.origin === 'string' || issue.origin === 'array'
  switch (issue.code) {
    case 'too_small':
      return counted ? 'too_short' : 'out_of_range'
    case 'too_big':
      return counted ? 'too_long' : 'out_of_range'
    case 'invalid_value':
      return 'not_in_list'
    case 'custom':
      return issue.params?.error ?? 'wrong_type'
    case 'invalid_type':
      return /received undefined/.test(issue.message) ? 'required' : 'wrong_type'
    default:
      return 'wrong_type'
  }
}
