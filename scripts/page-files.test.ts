import { expect, test } from 'vitest'
import { readSiteTexts } from '../apps/web/scripts/site-texts.ts'

test('files of a page -> the signed-in shell with the page, the admin shell for admins only', () => {
  const { modules } = readSiteTexts()
  const shell = 'src/app/shells/app-shell.tsx'
  const ofAdmins = 'src/app/shells/admin-shell.tsx'
  expect(modules['/bookings']?.all).toEqual([shell, 'src/app/bookings-page.tsx'])
  expect(modules['/bookings']?.forRole.admin).toEqual([ofAdmins, 'src/app/admin-bookings-page.tsx'])
  expect(modules['/bookings']?.forRole.rider).toEqual(['src/app/rider-bookings.tsx'])
  expect(modules['/']?.all).toEqual(['src/app/landing-page.tsx'])
  expect(modules['/']?.forRole).toMatchObject({ rider: [shell], fleetadmin: [shell, ofAdmins] })
  expect(modules['/login']?.forRole.admin).toEqual([])
})
