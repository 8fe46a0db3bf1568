import { type FieldError, Refusal } from '@hansom/domain/error-keys'

/** Creates an invalid_input refusal for one field of a table query. */
export function fieldError(field: string, error: FieldError['error'] = 'wrong_type'): Refusal {
  return new Refusal('invalid_input', { fields: [{ field, error }] })
}
