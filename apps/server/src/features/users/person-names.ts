import { Refusal } from '@hansom/domain/error-keys'

/** Throws proper_input_name for a blank name. */
export function refuseBlankNames(names: {
  firstName?: string | undefined
  lastName?: string | undefined
}): void {
  const blank = (['firstName', 'lastName'] as const).filter((field) => names[field]?.trim() === '')
  if (blank.length === 0) return
  throw new Refusal('proper_input_name', {
    fields: blank.map((field) => ({ field, error: 'proper_input_name' })),
  })
}
