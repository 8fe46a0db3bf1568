import { isPlainScreen } from '@hansom/domain/access/screens'
import type { NavigateOptions } from '@tanstack/react-router'
import type { Choice } from './recent-choices.ts'

/** Where a choice leads: users open next to their table, bookings on their own page. */
export function choiceLink({ kind, id }: Pick<Choice, 'kind' | 'id'>): NavigateOptions {
  switch (kind) {
    case 'page':
      // A page that a former version stored may be gone.
      return { to: isPlainScreen(id) ? id : '/' }
    case 'rider':
      return { to: '/riders', search: { open: id } }
    case 'driver':
      return { to: '/drivers', search: { open: id } }
    case 'booking':
      return { to: '/trip/$id', params: { id } }
  }
}
