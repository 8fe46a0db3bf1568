import { expect, test } from 'vitest'
import { refusalBeforeInput, refusalInCategory, routes } from '../access/routes.ts'
import { roles } from '../users/roles.ts'
import { contactCauses, keepsContacts, wantsMessage } from './trusted-contacts.ts'

test('who keeps contacts: riders, senders and taxi drivers, and only they may add and change one', () => {
  for (const category of ['taxi', 'delivery'] as const) {
    for (const role of roles) {
      for (const rule of [routes['safety.addContact'], routes['safety.changeContact']]) {
        const caller = { id: 'a', role, approved: true }
        const refusal = refusalInCategory(rule, { category }, role) ?? refusalBeforeInput(rule, caller)
        expect([role, category, refusal === null]).toEqual([role, category, keepsContacts(role, category)])
      }
    }
  }
  expect(roles.filter((role) => keepsContacts(role, 'delivery'))).toEqual(['rider'])
  expect(roles.filter((role) => keepsContacts(role, 'taxi'))).toEqual(['rider', 'driver'])
})

test.each([
  [{ refused: false, share_always: false, on_help: false }, ['asked']],
  [{ refused: false, share_always: true, on_help: false }, ['asked', 'started']],
  [{ refused: false, share_always: false, on_help: true }, ['asked', 'help']],
  [{ refused: true, share_always: true, on_help: true }, []],
])('contact %j -> messages for %j', (contact, causes) => {
  expect(contactCauses.filter((cause) => wantsMessage(contact, cause))).toEqual(causes)
})
