import { type FieldError, Refusal } from '@hansom/domain/error-keys'

/** A refusal of one field of what a table was asked. */
export function refused(field: string, error: FieldError['error'] = 'wrong_type'): Refusal {
  return new Refusal('invalid_input', { fields: [{ field, error }] })
}
