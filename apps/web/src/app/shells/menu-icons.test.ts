import { expect, test } from 'vitest'
import { menuIcons } from './menu-icons.ts'

test('menu of a delivery installation -> no steering wheel and no car; other entries unchanged', () => {
  const { taxi, delivery } = menuIcons
  const differing = (Object.keys(taxi) as (keyof typeof taxi)[]).filter(
    (name) => taxi[name] !== delivery[name],
  )
  expect(differing).toEqual(['bookings', 'drivers', 'carTypes'])
  expect(Object.values(delivery)).not.toContain(taxi.drivers)
  expect(Object.values(delivery)).not.toContain(taxi.carTypes)
})
